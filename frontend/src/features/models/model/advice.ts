/** What is said of more items: keys and values of sentences. Pure. */
import { formatAmount, formatNumber, isPlainMetric } from '../../../charts/format/format'
import type { GainCurve, SubjectAdvice } from '../api/types'

const SHARES = /^(accuracy|f1|roc_auc|.*_macro)$/

/** In points where the measure is a share, else in its own unit. */
export function isInPoints(measure: string): boolean {
  return SHARES.test(measure)
}

/** `+3.1` points, or an amount; a gain of an error is what it falls by. */
export function gainText(measure: string, gain: number, { isSigned = true } = {}): string {
  const value = isInPoints(measure) ? 100 * gain : gain
  const size = Math.abs(value)
  const text = isInPoints(measure) ? inPoints(size) : isPlainMetric(measure) ? formatNumber(size) : formatAmount(size)
  const isNothing = Number(text.replaceAll(',', '')) === 0
  if (isNothing) return text
  return value < 0 ? `−${text}` : isSigned ? `+${text}` : text
}

/** One digit behind the point; two where one would hide a small gain. */
function inPoints(size: number): string {
  return size < 1 ? String(Number(size.toFixed(2))) : size.toFixed(1)
}

export interface AdviceWords {
  more: number
  gain: string
  low: string
  high: string
  /** Of the study's metric. */
  objective: string
}

/** What a sentence about a subject says; null where it has too few items. */
export function wordsOf({ own, objective }: SubjectAdvice): AdviceWords | null {
  const curve = own ?? objective
  const first = curve?.forecasts[0]
  if (!curve || !first) return null
  const [low = first.gain, high = first.gain] = first.interval
  const others = objective?.forecasts[0]
  return {
    more: first.num_more,
    gain: gainText(curve.measure, first.gain),
    low: gainText(curve.measure, low),
    high: gainText(curve.measure, high),
    objective: objective && others ? gainText(objective.measure, others.gain) : '',
  }
}

/** The key of the words that name the unit of a gain. */
export const unitOf = (curve: GainCurve): 'points' | 'amount' => (isInPoints(curve.measure) ? 'points' : 'amount')

/** Today's number, and the values that the drawing must hold: the interval of far forecasts may leave 0..1, the drawing does not. */
export function drawnRange(curve: GainCurve): [number, number] {
  const ends = [...curve.samples, ...curve.fitted].flatMap(({ value, interval }) => [value, ...interval])
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  return isInPoints(curve.measure) ? [Math.max(0, low), Math.min(1, high)] : [Math.max(0, low), high]
}
