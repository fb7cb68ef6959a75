/** The words of all pages behind the sign-in. */
export default import.meta.glob<{ default: object }>(['./en/*.ts', '!./en/{common,noun,roles,session}.ts'], { eager: true })
