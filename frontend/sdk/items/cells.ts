/** Reads the cells of tables as `cells.py` of the Python runtime does: what is missing, which number a text means. */
import type { Cell } from '../api'
import { asciiDigits, stripped, WHITE, words } from './whitespace'

export type Decimal = '.' | ','

const MISSING_WORDS = new Set([
  '',
  'na',
  'n/a',
  '#n/a',
  '#na',
  '<na>',
  'nan',
  'null',
  'none',
  'nil',
  '-',
  '--',
  '?',
  '#null!',
  '#div/0!',
  '#value!',
  '缺失',
])
const AROUND = new RegExp(`^[${WHITE}$€£¥￥₹]+|[${WHITE}%％$€£¥￥₹元]+$`, 'gu')
/** A sign in front of a currency's sign. */
const SIGNED = new RegExp(`^[${WHITE}]*([+-])(?=[${WHITE}]*[$€£¥￥₹])`, 'u')
/** Of a unit so long the case does not count: `KWH` is `kWh`, but `mb` is not `MB`, nor `M` a metre. */
const ANY_CASE_CHARS = 3
const GROUPED = {
  '.': new RegExp(`^[+-]?\\d{1,3}([,${WHITE}'’]\\d{3})+(\\.\\d*)?$`, 'u'),
  ',': new RegExp(`^[+-]?\\d{1,3}([.${WHITE}'’]\\d{3})+(,\\d*)?$`, 'u'),
}
const PARTED = { '.': new RegExp(`[,${WHITE}'’]`, 'gu'), ',': new RegExp(`[.${WHITE}'’]`, 'gu') }
const PLAIN = { '.': /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/, ',': /^[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?$/ }

/** Python writes numbers from here on with an exponent. */
const LARGE = 1e16

export function isMissing(cell: Cell): boolean {
  if (cell === null || cell === undefined) return true
  if (typeof cell === 'string') return MISSING_WORDS.has(stripped(cell).toLowerCase())
  return Number.isNaN(cell)
}

/** A cell as a category or a text; empty when it is missing. Numbers are written without needless zeros. */
export function textOf(cell: Cell): string {
  if (isMissing(cell)) return ''
  if (typeof cell === 'number') return writtenOf(cell)
  return typeof cell === 'string' ? stripped(cell) : String(cell)
}

function writtenOf(number: number): string {
  if (Number.isSafeInteger(number)) return String(number)
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf'
  const size = Math.abs(number)
  const isPlain = size >= 1e-4 && size < LARGE
  const text = isPlain ? String(number) : number.toExponential()
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

/** The number that a cell means; NaN when it is missing, null when it is no number. */
export function numberOf(cell: Cell, decimal: Decimal = '.', units: readonly string[] = []): number | null {
  if (isMissing(cell)) return NaN
  if (typeof cell !== 'string') return Number.isFinite(Number(cell)) ? Number(cell) : null
  let text = asciiDigits(cell)
  let sign = 1
  if (!PLAIN[decimal].test(text)) {
    text = stripped(text).replaceAll('\u2212', '-')
    if (isInBrackets(text)) [sign, text] = [-1, text.slice(1, -1)]
    text = bareOf(text, units)
    if (sign > 0 && isInBrackets(text)) [sign, text] = [-1, text.slice(1, -1)]
    if (!PLAIN[decimal].test(text)) {
      if (!GROUPED[decimal].test(text)) return null
      text = text.replace(PARTED[decimal], '')
    }
  }
  const value = sign * Number(text.replaceAll(',', '.'))
  return Number.isFinite(value) ? value : null
}

const isInBrackets = (text: string) => text.startsWith('(') && text.endsWith(')')

/** A number's text without its unit, or, where the column has none, without signs of currencies and per cent. */
function bareOf(text: string, units: readonly string[]): string {
  if (!units.length) {
    const signed = SIGNED.exec(text)
    return signed ? (signed[1] ?? '') + text.slice(signed[0].length).replace(AROUND, '') : text.replace(AROUND, '')
  }
  let [sign, rest] = ['', stripped(text)]
  if (rest.startsWith('+') || rest.startsWith('-')) [sign, rest] = [rest.charAt(0), stripped(rest.slice(1))]
  const longest = [...units].sort((a, b) => b.length - a.length)
  const before = longest.find((unit) => isUnit(rest.slice(0, unit.length), unit)) ?? ''
  rest = stripped(rest.slice(before.length))
  const behind = longest.find((unit) => isUnit(rest.slice(-unit.length), unit)) ?? ''
  return sign + stripped(rest.slice(0, rest.length - behind.length))
}

const isUnit = (text: string, unit: string) => text === unit || (unit.length >= ANY_CASE_CHARS && text.toLowerCase() === unit.toLowerCase())

/** A category whatever its case and the spaces in and around it: spellings of one value are equal then. */
export function folded(text: string): string {
  // Through upper case: `ß` is `ss` then, as with Python's `casefold`. The dotless i has no other case there.
  const cased = [...text].map((sign) => (sign === 'ı' ? sign : sign.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')))
  return words(cased.join('')).join(' ')
}
