export default import.meta.glob<{ default: object }>('./en/*.ts', { eager: true })
