export default import.meta.glob<{ default: object }>('./zh/*.ts', { eager: true })
