/** Names of pages below a project that other answers have no use for. */
export default ['templates'] as const
