/** The words of the pages before the sign-in. */
export default import.meta.glob<{ default: object }>('./en/{common,noun,refusals,roles,session}.{ts,json}', { eager: true })
