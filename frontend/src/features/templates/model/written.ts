/** A form's fields as text: a value for a person, and files for programs. Pure. */
import type { Form, FormField } from '../api/templates'

/** A value in one line. */
export function valueText(value: FormField['value']): string {
  if (value === null) return ''
  return typeof value === 'object' ? [value.amount, value.currency].filter(Boolean).join(' ') : String(value)
}

/** Values by name. */
export const valuesJson = ({ fields }: Form): string =>
  JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value])), null, 2)

/** One row a field (RFC 4180). */
export function fieldsCsv({ fields }: Form): string {
  const rows = fields.map(({ name, value, text, confidence, problems }) => [
    name,
    valueText(value),
    text,
    String(confidence),
    problems.map(({ code }) => code).join(' '),
  ])
  return [['name', 'value', 'text', 'confidence', 'problems'], ...rows].map((row) => row.map(cell).join(',') + '\r\n').join('')
}

/** What spreadsheets take for a formula gets an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
