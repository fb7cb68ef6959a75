/** The words of the pages before the sign-in. */
export default import.meta.glob<{ default: object }>('./zh/{common,noun,refusals,roles,session}.{ts,json}', { eager: true })
