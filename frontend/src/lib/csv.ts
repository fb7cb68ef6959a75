/** Rows as CSV (RFC 4180). */
export const csv = (rows: readonly (readonly string[])[]) => rows.map((row) => row.map(cell).join(',') + '\r\n').join('')

const NUMBER = /^[+-]?(\d+([.,]\d*)*|\.\d+)([eE][+-]?\d+)?(%| [A-Z]{3})?$/

/** What spreadsheets take for a formula gets an apostrophe: `-2+3` is one, `-2.3` and `-2.3 EUR` are none. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]./s.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
