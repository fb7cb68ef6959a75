/** The words of the pages before the sign-in. */
export default import.meta.glob<{ default: object }>('./zh/{common,noun,roles,session}.ts', { eager: true })
