export default import.meta.glob<{ default: object }>('./en/*.{ts,json}', { eager: true })
