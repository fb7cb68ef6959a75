/** From calls over time to what is drawn of them. Pure. */
import type { Series } from '../../../charts/time-chart/periods'
import type { Period, Timeline } from '../api/types'

/** How a series is called and coloured; the page knows both. */
export interface Drawn {
  title: string
  color: string
}

/** Answered calls, and refused ones by their code; the rarest codes together. */
export function callSeries(
  periods: readonly Period[],
  answered: Drawn,
  others: Drawn,
  refusedOf: (code: string, place: number) => Drawn,
): Series[] {
  const totals = new Map<string, number>()
  for (const { errors } of periods) for (const { code, calls } of errors) totals.set(code, (totals.get(code) ?? 0) + calls)
  const codes = [...totals].sort(([one, many], [other, more]) => more - many || one.localeCompare(other)).map(([code]) => code)
  const shown = codes.length > MOST_CODES ? codes.slice(0, MOST_CODES - 1) : codes
  const refused = (period: Period, matches: (code: string) => boolean) =>
    period.errors.reduce((sum, { code, calls }) => sum + (matches(code) ? calls : 0), 0)
  return [
    { key: 'answered', ...answered, values: periods.map((period) => period.calls - refused(period, () => true)) },
    ...shown.map((code, place) => ({
      key: `code:${code}`,
      ...refusedOf(code, place),
      values: periods.map((period) => refused(period, (each) => each === code)),
    })),
    ...(shown.length < codes.length
      ? [{ key: 'others', ...others, values: periods.map((period) => refused(period, (code) => !shown.includes(code))) }]
      : []),
  ]
}

export const MOST_CODES = 4

/** The share of each of the commonest answers; the others together. */
export function answerSeries(
  timeline: Pick<Timeline, 'periods' | 'labels'>,
  drawnOf: (label: string | null, place: number) => Drawn,
  others: Drawn,
): Series[] {
  const { periods, labels } = timeline
  const totals = periods.map((period) => period.answers.reduce((sum, { count }) => sum + count, 0))
  const share = (count: number, place: number) => (totals[place] ? count / (totals[place] ?? 1) : null)
  const countOf = (period: Period, matches: (label: string | null) => boolean) =>
    period.answers.reduce((sum, { label, count }) => sum + (matches(label) ? count : 0), 0)
  const hasOthers = periods.some((period) => period.answers.some(({ label }) => !labels.includes(label)))
  return [
    ...labels.map((label, at) => ({
      key: `label:${label ?? ''}`,
      ...drawnOf(label, at),
      values: periods.map((period, place) =>
        share(
          countOf(period, (each) => each === label),
          place,
        ),
      ),
    })),
    ...(hasOthers
      ? [
          {
            key: 'others',
            ...others,
            values: periods.map((period, place) =>
              share(
                countOf(period, (each) => !labels.includes(each)),
                place,
              ),
            ),
          },
        ]
      : []),
  ]
}

/** Whether numbers were answered rather than labels. */
export function hasNumbers(periods: readonly Period[]): boolean {
  return periods.some((period) => period.median !== null)
}

/** The median of the numbers, with where eight of ten lie. */
export function numberSeries(periods: readonly Period[], median: Drawn): Series[] {
  return [
    {
      key: 'median',
      ...median,
      values: periods.map((period) => period.median),
      bounds: periods.map(({ low, high }) => (low === null || high === null ? null : ([low, high] as const))),
    },
  ]
}

/** How wrong answers were by what callers reported, with its interval. */
export function lossSeries(periods: readonly Period[], loss: Drawn): Series[] {
  return [
    {
      key: 'loss',
      ...loss,
      values: periods.map((period) => period.loss),
      bounds: periods.map(({ loss_low, loss_high }) => (loss_low === null || loss_high === null ? null : ([loss_low, loss_high] as const))),
    },
  ]
}
