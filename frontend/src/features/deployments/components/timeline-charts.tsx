import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { useNothingWord } from '../../../answers/nothing-word'
import { formatAmount, formatFraction, formatLatency } from '../../../charts/format/format'
import { chartColors, seriesColor } from '../../../charts/palette/palette'
import { useScheme } from '../../../charts/palette/use-scheme'
import { TimeChart } from '../../../charts/time-chart/time-chart'
import { formatNumber } from '../../../lib/format'
import { useProject } from '../../../lib/project/project'
import type { Timeline } from '../api/types'
import { answerSeries, callSeries, hasNumbers, lossSeries, numberSeries } from '../model/timeline'
import { useCodeWord } from './use-code-word'

/** The place of the first colour that no other series of a drawing has. */
const REFUSED_FROM = 1
const REST = 9
const PERCENTILES = ['p50', 'p95', 'p99'] as const

/** Calls, latency, answers and quality beside each other. */
export function TimelineCharts({ timeline }: { timeline: Timeline }) {
  const { t } = useTranslation('deployments')
  const scheme = useScheme()
  const nothing = useNothingWord()
  const word = useCodeWord()
  const { hasUncertainty } = useAnswerKind()
  const colors = new Map<string | null, string>(useProject().data?.label_set.labels.map((label) => [label.name, label.color]))
  const { periods } = timeline
  const color = (place: number) => seriesColor(place, scheme)
  const rest = { title: t('watch.others'), color: color(REST) }
  const shared = { periods: periods.map((period) => period.at), step_hours: timeline.step_hours }
  const percent = (value: number | null | undefined) => formatFraction(value, 0)
  const answers = hasNumbers(periods)
    ? numberSeries(periods, { title: t('watch.median'), color: color(0) })
    : answerSeries(timeline, (label, place) => ({ title: label ?? nothing, color: colors.get(label) ?? color(place) }), rest)
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <TimeChart
        {...shared}
        title={t('watch.calls')}
        shape="bars"
        isWhole
        format={(value) => (value == null ? '–' : formatNumber(value))}
        empty={t('watch.empty')}
        series={callSeries(periods, { title: t('watch.answered'), color: color(0) }, rest, (code, place) => ({
          title: word(code),
          color: color(place + REFUSED_FROM),
        }))}
      />
      <TimeChart
        {...shared}
        title={t('watch.latency')}
        shape="lines"
        format={formatLatency}
        empty={t('watch.no_answers')}
        series={PERCENTILES.map((name, place) => ({
          key: name,
          title: t(`watch.${name}`),
          color: color(place),
          values: periods.map((period) => period[`${name}_ms`]),
        }))}
      />
      <TimeChart
        {...shared}
        title={t('watch.answers')}
        shape={hasNumbers(periods) ? 'lines' : 'bars'}
        format={hasNumbers(periods) ? formatAmount : percent}
        empty={t('watch.no_answers')}
        series={answers}
        {...(!hasNumbers(periods) && { most: 1 })}
      />
      <TimeChart
        {...shared}
        title={t('watch.loss')}
        shape="lines"
        format={formatFraction}
        empty={t('watch.no_feedback')}
        series={lossSeries(periods, { title: t('watch.wrong'), color: chartColors(scheme).bad })}
      />
      {hasUncertainty && (
        <TimeChart
          {...shared}
          title={t('watch.uncertainty')}
          shape="lines"
          format={percent}
          least={0.04}
          empty={t('watch.no_answers')}
          series={[{ key: 'uncertainty', title: t('watch.mean'), color: color(3), values: periods.map((period) => period.uncertainty) }]}
        />
      )}
    </SimpleGrid>
  )
}
