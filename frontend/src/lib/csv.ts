/** Rows as CSV (RFC 4180). */
export const csv = (rows: readonly (readonly string[])[]) => rows.map((row) => row.map(cell).join(',') + '\r\n').join('')

/** What spreadsheets take for a formula gets an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
