/** Why an item is among the findings, as a key of the dictionary with its values. */
import { formatNumber, formatPercent, language } from '../../../lib/format'
import type { Finding } from '../api/quality'

export interface Evidence {
  key: string
  values: Record<string, string>
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const share = (value: unknown): string => formatPercent(number(value))

const SCRIPTS: Record<string, string> = {
  latin: 'Latn',
  han: 'Hani',
  kana: 'Jpan',
  hangul: 'Hang',
  cyrillic: 'Cyrl',
  greek: 'Grek',
  arabic: 'Arab',
  hebrew: 'Hebr',
  devanagari: 'Deva',
  thai: 'Thai',
}

/** What was counted, by its name without `num_`. */
function counts(detail: Finding['detail']): Record<string, string> {
  const counted = Object.entries(detail).filter(([name]) => name.startsWith('num_'))
  return Object.fromEntries(counted.map(([name, value]) => [name.slice('num_'.length), formatNumber(number(value))]))
}

/** A script as people call it in the page's language; the server's name stands in where the browser knows none. */
function scriptName(script: string): string {
  const code = SCRIPTS[script]
  return (code && new Intl.DisplayNames([language()], { type: 'script' }).of(code)) ?? script
}

/** Where two pictures differ, as keys: how one was turned, whether it was cropped or resized. */
export function differences(detail: Finding['detail']): string[] {
  const found = []
  const orientation = text(detail.orientation)
  if (orientation && orientation !== 'upright') found.push(`orientation.${orientation}`)
  if (number(detail.kept_fraction) > 0 && number(detail.kept_fraction) < 0.97) found.push('cropped')
  else if (detail.is_resized === true) found.push('resized')
  return found
}

/** The columns whose cells set a row apart, the most telling first. */
export function oddColumns({ detail }: Pick<Finding, 'detail'>): string[] {
  return Array.isArray(detail.columns) ? detail.columns.filter((name) => typeof name === 'string') : []
}

/** The item of a finding with the cells in front that it is found by. */
export function shownItem(finding: Finding): Finding['item'] {
  const { item } = finding
  if (!item.row) return item
  const cells = item.row.cells
  const first = oddColumns(finding).flatMap((name) => (cells[name] === undefined ? [] : [[name, cells[name]] as const]))
  return { ...item, row: { ...item.row, cells: { ...Object.fromEntries(first), ...cells } } }
}

export function evidenceOf(finding: Finding): Evidence {
  const { detail, kind } = finding
  switch (kind) {
    case 'exact_duplicate':
    case 'unreadable':
      return { key: kind, values: {} }
    case 'near_duplicate':
      return { key: kind, values: { similarity: share(detail.similarity) } }
    case 'leak':
      return { key: kind, values: { split: text(detail.split), other: text(detail.other_split) } }
    case 'wrong_label':
      return {
        key: kind,
        values: {
          label: text(detail.label),
          suggested: text(detail.suggested),
          confidence: share(detail.confidence),
          given: share(detail.given_confidence),
        },
      }
    case 'garbled':
      return { key: `garbled_${text(detail.reason)}`, values: {} }
    case 'odd_language':
      return { key: kind, values: { script: scriptName(text(detail.script)), usual: scriptName(text(detail.usual)) } }
    case 'odd_aspect':
    case 'odd_size':
      // What is measured by its length alone: too long or too short.
      if (typeof detail.is_long === 'boolean')
        return {
          key: detail.is_long ? 'too_long' : 'too_short',
          values: { ...counts(detail), times: number(detail.value).toFixed(1) },
        }
      return {
        key: kind,
        values: {
          width: String(number(detail.width)),
          height: String(number(detail.height)),
          times: number(detail.value).toFixed(1),
        },
      }
    case 'outlier':
      if (oddColumns(finding).length > 0)
        return {
          key: 'outlier_cells',
          values: {
            cells: oddColumns(finding)
              .map((name) => `${name} ${finding.item.row?.cells[name] ?? ''}`.trim())
              .join(' · '),
          },
        }
      return { key: kind, values: { value: number(detail.value).toFixed(2), limit: number(detail.limit).toFixed(2) } }
    case 'odd_colour':
      return { key: number(detail.value) < number(detail.limit) ? 'odd_grey' : 'odd_coloured', values: {} }
    default:
      return { key: kind, values: { value: share(detail.value), limit: share(detail.limit) } }
  }
}
