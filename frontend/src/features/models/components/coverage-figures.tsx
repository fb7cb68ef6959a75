import { Alert, Stack, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { BarList } from '../../../charts/bar-list/bar-list'
import { formatFraction } from '../../../charts/format/format'
import type { LabelLimits } from '../api/types'
import { isBelow, type LimitsSetBy, sharesOf } from '../model/coverage'
import type { UnsureView } from '../model/items-query'
import classes from './coverage-panel.module.css'
import { Figure, Figures } from './figures'

interface CoverageFiguresProps {
  line: LabelLimits
  /** Null where the items behind a count are not known. */
  onOutcome: ((outcome: UnsureView['outcome']) => void) | null
}

/** What an error rate gave on the test split: of all items, and of each label. */
export function CoverageFigures({ line, onOutcome }: CoverageFiguresProps) {
  const { t } = useTranslation('report')
  const { measure } = line
  if (!measure)
    return (
      <Text size="sm" c="dimmed">
        {t(Object.keys(line.limits).length > 0 ? 'coverage.no_test' : 'coverage.no_limits')}
      </Text>
    )
  const shares = sharesOf(measure)
  const figure = (outcome: UnsureView['outcome'], count: number) =>
    onOutcome && count > 0 ? (
      <UnstyledButton className={classes.link} onClick={() => onOutcome(outcome)}>
        {formatFraction(shares[outcome])}
      </UnstyledButton>
    ) : (
      formatFraction(shares[outcome])
    )
  return (
    <Stack gap="sm" miw={0}>
      <Figures>
        <Figure name={t('coverage.alone')} value={formatFraction(shares.alone)} />
        <Figure name={t('coverage.asked')} value={figure('asked', measure.num_asked)} />
        <Figure name={t('coverage.wrong')} value={figure('wrong', measure.num_wrong)} />
        <Figure name={t('coverage.covered')} value={<Interval share={shares.covered} interval={measure.interval} />} />
      </Figures>
      <Measured measure={measure} errorRate={line.error_rate} />
      {line.short.length > 0 && (
        <Alert color="yellow" variant="light" p="xs">
          {t(`coverage.short.${line.scope}`, { needed: line.num_needed, labels: line.short.join(t('coverage.comma')) })}
        </Alert>
      )}
    </Stack>
  )
}

/** What is guaranteed, and that it holds only about where other models than the one that answers set the limits. */
export function Promised({ text, setBy }: { text: string; setBy: LimitsSetBy }) {
  const { t } = useTranslation('report')
  return (
    <div>
      <Text size="sm">{text}</Text>
      {setBy && (
        <Text size="xs" c="dimmed" mt={4}>
          {t(`coverage.by_${setBy}`)}
        </Text>
      )}
    </div>
  )
}

/** On how many items it was measured, and a warning where the promise was clearly not kept. */
export function Measured({ measure, errorRate }: { measure: { num_items: number; interval: readonly number[] }; errorRate: number }) {
  const { t } = useTranslation('report')
  return (
    <>
      <Text size="xs" c="dimmed">
        {t('coverage.measured', { count: measure.num_items })}
      </Text>
      {isBelow(measure, errorRate) && (
        <Alert color="red" variant="light" p="xs">
          {t('coverage.below', { rate: formatFraction(1 - errorRate, 0) })}
        </Alert>
      )}
    </>
  )
}

/** A share with the 95% interval that belongs to it. */
export function Interval({ share, interval: [low, high] }: { share: number; interval: readonly number[] }) {
  return (
    <>
      {formatFraction(share)}{' '}
      <span className={classes.interval}>
        ({formatFraction(low)} – {formatFraction(high)})
      </span>
    </>
  )
}

type CoveredLabel = NonNullable<LabelLimits['measure']>['labels'][number]

/** The same of each label, with the items that its guarantee rests on. */
export function CoveredLabels({ labels }: { labels: readonly CoveredLabel[] }) {
  const { t } = useTranslation('report')
  const count = (value: number | null | undefined) => String(value ?? 0)
  return (
    <BarList
      title={t('label')}
      columns={[
        { key: 'covered', title: t('coverage.covered'), format: formatFraction, full: 1 },
        { key: 'low', title: t('coverage.from'), format: formatFraction, full: 1 },
        { key: 'asked', title: t('coverage.asked'), format: formatFraction, full: 1 },
        { key: 'calibrated', title: t('coverage.calibrated'), format: count, full: null },
      ]}
      rows={labels.map(({ label, num_items, num_covered, num_asked, num_calibrated, interval }) => ({
        key: label,
        title: label,
        values: {
          covered: num_items ? num_covered / num_items : null,
          low: interval?.[0] ?? null,
          asked: num_items ? num_asked / num_items : null,
          calibrated: num_calibrated,
        },
      }))}
      initialSort={{ column: 'covered', isDescending: false }}
    />
  )
}
