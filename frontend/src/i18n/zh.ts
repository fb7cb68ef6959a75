export default import.meta.glob<{ default: object }>('./zh/*.{ts,json}', { eager: true })
