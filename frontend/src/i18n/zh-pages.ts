/** The words of all pages behind the sign-in. */
export default import.meta.glob<{ default: object }>(['./zh/*.ts', '!./zh/{common,noun,session}.ts'], { eager: true })
