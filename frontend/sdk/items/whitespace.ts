/** White space as Python's `str` knows it: JavaScript's own differs in a few characters. */
export const WHITE = '\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

const ENDS = new RegExp(`^[${WHITE}]+|[${WHITE}]+$`, 'gu')
const BETWEEN = new RegExp(`[${WHITE}]+`, 'u')

/** `str.strip()`. */
export const stripped = (text: string): string => text.replace(ENDS, '')

/** `str.split()`. */
export const words = (text: string): string[] => text.split(BETWEEN).filter(Boolean)

const DIGIT = /\p{Nd}/u

/** Decimal digits of any script as 0 to 9. */
export function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let first = code
    while (DIGIT.test(String.fromCodePoint(first - 1))) first--
    return String((code - first) % 10) // tables of digits follow one another in whole tens
  })
}
