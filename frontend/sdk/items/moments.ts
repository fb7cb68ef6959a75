/** Reads the moments of tables as `cells.py` of the Python runtime does: ISO 8601, seconds, or a format of `strptime`. */
import type { Cell } from '../api'
import { ModelError } from '../errors'
import { isMissing, numberOf } from './cells'
import { asciiDigits, stripped, WHITE } from './whitespace'

/** Stands for a moment that is missing, in seconds. */
export const MISSING_TIME = -(2n ** 63n)

/** The moment that a cell means, in seconds since 1970; `MISSING_TIME` when it is missing, null when it is no moment. */
export type ReadMoment = (cell: Cell) => bigint | null

const DATE = /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d)|-W(\d\d)(?:-(\d))?|W(\d\d)(\d)?)/
const TIME = /^(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,]\d+)?)?|(\d\d)(?:(\d\d)(?:[.,]\d+)?)?)?(Z|[+-]\d\d(?::\d\d(?::\d\d)?|\d\d(?:\d\d)?)?)?$/
const ZONE = /^([+-])(\d\d):?(\d\d)?:?(\d\d)?/
const DAY_S = 86_400
const LONGEST = 1e15

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const DAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
const short = (name: string) => name.slice(0, 3)

/** Directives of `strptime` as patterns; the names of groups say what is read. */
const DIRECTIVES: Record<string, string> = {
  d: '(?<d>3[0-1]|[1-2]\\d|0[1-9]|[1-9]| [1-9])',
  f: '(?<f>\\d{1,6})',
  H: '(?<H>2[0-3]|[0-1]\\d|\\d)',
  I: '(?<I>1[0-2]|0[1-9]|[1-9]| [1-9])',
  m: '(?<m>1[0-2]|0[1-9]|[1-9])',
  M: '(?<M>[0-5]\\d|\\d)',
  S: '(?<S>6[0-1]|[0-5]\\d|\\d)',
  y: '(?<y>\\d\\d)',
  Y: '(?<Y>\\d{4})',
  z: '(?<z>[+-]\\d\\d:?[0-5]\\d(?::?[0-5]\\d(?:\\.\\d{1,6})?)?|Z)',
  A: `(?<A>${DAYS.join('|')})`,
  a: `(?<a>${DAYS.map(short).join('|')})`,
  B: `(?<B>${MONTHS.join('|')})`,
  b: `(?<b>${MONTHS.map(short).join('|')})`,
  p: '(?<p>am|pm)',
  Z: '(?<Z>utc|gmt)',
  '%': '%',
}

/** How a column's moments are read.
 *
 * @throws ModelError: the format holds a directive that is not known.
 */
export function momentReader(format: string): ReadMoment {
  const read = readerOf(format)
  return (cell) => {
    if (isMissing(cell)) return MISSING_TIME
    const seconds = read(cell)
    return seconds === null ? null : BigInt(seconds)
  }
}

function readerOf(format: string): (cell: Cell) => number | null {
  if (format === 'epoch_s' || format === 'epoch_ms') {
    const parts = format === 'epoch_ms' ? 1000 : 1
    return (cell) => {
      const value = numberOf(cell)
      return value === null || Math.abs(value) > LONGEST ? null : Math.floor(value / parts)
    }
  }
  if (format === '' || format === 'iso') return (cell) => isoSeconds(stripped(String(cell)))
  const pattern = patternOf(format)
  return (cell) => formatSeconds(asciiDigits(stripped(String(cell))), pattern)
}

function patternOf(format: string): RegExp {
  const text = format.replace(/[\\.^$*+?(){}[\]|]/g, '\\$&').replace(new RegExp(`[${WHITE}]+`, 'gu'), `[${WHITE}]+`)
  const whole = text.replace(/%(.)/g, (_, letter: string) => {
    const part = DIRECTIVES[letter]
    if (!part) throw new ModelError('artefact_unreadable', `moments written as ${format} cannot be read: %${letter} is not known`)
    return part
  })
  return new RegExp(`^${whole}$`, 'i')
}

function formatSeconds(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.groups
  if (!found) return null
  const number = (name: string, otherwise: number) => (found[name] === undefined ? otherwise : Number(found[name]))
  const inCentury = number('y', 0)
  const year = found.y === undefined ? number('Y', 1900) : inCentury + (inCentury < 69 ? 2000 : 1900)
  const named = (found.B ?? found.b)?.toLowerCase()
  const month = named ? MONTHS.findIndex((name) => name.startsWith(named)) + 1 : number('m', 1)
  let hour = number('H', 0)
  if (found.I !== undefined) hour = (Number(found.I) % 12) + (found.p?.toLowerCase() === 'pm' ? 12 : 0)
  const time = timeSeconds(hour, number('M', 0), number('S', 0))
  const days = dayNumber(year, month, number('d', 1))
  return time === null || days === null ? null : days * DAY_S + time - zoneSeconds(found.z)
}

function isoSeconds(text: string): number | null {
  const date = DATE.exec(text)
  if (!date) return null
  const [whole, year, month, day, shortMonth, shortDay, week, weekDay, shortWeek, shortWeekDay] = date
  const inWeek = week ?? shortWeek
  const days = inWeek
    ? weekNumber(Number(year), Number(inWeek), Number(weekDay ?? shortWeekDay ?? 1))
    : dayNumber(Number(year), Number(month ?? shortMonth), Number(day ?? shortDay))
  if (days === null) return null
  const rest = text.slice(whole.length)
  if (!rest) return days * DAY_S
  const time = TIME.exec(rest.slice(String.fromCodePoint(rest.codePointAt(0) ?? 0).length)) // any one character parts them
  if (!time) return null
  const seconds = timeSeconds(Number(time[1]), Number(time[2] ?? time[4] ?? 0), Number(time[3] ?? time[5] ?? 0))
  return seconds === null ? null : days * DAY_S + seconds - zoneSeconds(time[6])
}

const timeSeconds = (hour: number, minute: number, second: number) =>
  hour > 23 || minute > 59 || second > 59 ? null : hour * 3600 + minute * 60 + second

function zoneSeconds(text: string | undefined): number {
  const zone = ZONE.exec(text ?? '')
  if (!zone) return 0
  const seconds = Number(zone[2]) * 3600 + Number(zone[3] ?? 0) * 60 + Number(zone[4] ?? 0)
  return zone[1] === '-' ? -seconds : seconds
}

/** Days since 1970; null where there is no such day. */
function dayNumber(year: number, month: number, day: number): number | null {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isThere = year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere ? date.getTime() / 1000 / DAY_S : null
}

/** The same by week and day of the week, Monday first. */
function weekNumber(year: number, week: number, day: number): number | null {
  const january4 = dayNumber(year, 1, 4)
  const next = dayNumber(year + 1, 1, 4)
  if (january4 === null || next === null || week < 1 || day < 1 || day > 7) return null
  const monday = (days: number) => days - ((((days + 3) % 7) + 7) % 7)
  const first = monday(january4) + (week - 1) * 7
  return first < monday(next) ? first + day - 1 : null
}
