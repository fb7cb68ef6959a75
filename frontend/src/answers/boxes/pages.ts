/** Names of pages below a project that other answers have no use for. */
export default ['shelves'] as const
