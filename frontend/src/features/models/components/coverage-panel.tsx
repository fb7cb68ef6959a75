import { Alert, Button, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction, formatNumber } from '../../../charts/format/format'
import type { Artefact, CoverageScope, LabelLimits } from '../api/types'
import { cheapestLine, type CoverageCosts, coverageCost, firstRate, type LimitsSetBy } from '../model/coverage'
import type { ItemsView } from '../model/items-query'
import { CoverageDefault } from './coverage-default'
import { CoveredLabels, CoverageFigures, Promised } from './coverage-figures'
import classes from './coverage-panel.module.css'
import { ErrorRates } from './error-rates'

interface CoveragePanelProps {
  artefact: Artefact
  /** Which other models set the limits; null where the one that answers did. */
  setBy: LimitsSetBy
  lines: readonly LabelLimits[]
  /** Whether the items behind counts are known. */
  isListed: (scope: CoverageScope) => boolean
  onItems: (view: ItemsView) => void
}

/** An error rate that is tried; how many items are left to a person at it, and what is wrong all the same. */
export function CoveragePanel({ artefact, setBy, lines, isListed, onItems }: CoveragePanelProps) {
  const { t } = useTranslation('report')
  const inUse = artefact.coverage
  const [scope, setScope] = useState<CoverageScope>(inUse?.scope ?? 'all')
  const own = lines.filter((each) => each.scope === scope).map((each) => ({ ...each, isEnough: Object.keys(each.limits).length > 0 }))
  const [tried, setTried] = useState<number | undefined>(undefined)
  const rate = tried ?? firstRate(own, inUse?.error_rate)
  const line = own.find((each) => each.error_rate === rate)
  if (!line) return null
  const count = Math.round(line.error_rate * 100)
  return (
    <div className={classes.root}>
      <Stack gap="md" miw={0}>
        <ErrorRates lines={own} value={line.error_rate} onChange={setTried} />
        <div>
          <Text size="sm" mb={4}>
            {t('coverage.scope.title')}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={t('coverage.scope.title')}
            value={scope}
            onChange={(value) => setScope(value as CoverageScope)}
            data={(['all', 'label'] as const).map((value) => ({ value, label: t(`coverage.scope.${value}`) }))}
          />
        </div>
        {line.isEnough ? (
          <Promised text={t(`coverage.promise.${scope}`, { count })} setBy={setBy} />
        ) : (
          <Alert color="yellow" variant="light" p="xs">
            {t(`coverage.few.${scope}`, { needed: line.num_needed })}
          </Alert>
        )}
        {line.measure && (
          <CostFields measure={line.measure} cheapest={(costs) => cheapestLine(own, scope, costs)?.error_rate} onChoose={setTried} />
        )}
        <CoverageDefault artefact={artefact} choice={line.isEnough ? { error_rate: line.error_rate, scope } : null} words="ask" />
      </Stack>
      <CoverageFigures
        line={line}
        onOutcome={isListed(scope) ? (outcome) => onItems({ kind: 'unsure', errorRate: line.error_rate, scope, outcome }) : null}
      />
      {line.measure && line.measure.labels.length > 0 && (
        <div className={classes.labels}>
          <CoveredLabels labels={line.measure.labels} />
        </div>
      )}
    </div>
  )
}

interface CostFieldsProps {
  measure: NonNullable<LabelLimits['measure']>
  cheapest: (costs: CoverageCosts) => number | undefined
  onChoose: (rate: number) => void
}

/** What a mistake and a look of a person cost, and the error rate that follows from it. */
function CostFields({ measure, cheapest, onChoose }: CostFieldsProps) {
  const { t } = useTranslation('report')
  const [costs, setCosts] = useState<CoverageCosts>({ wrong: 10, asked: 1 })
  const best = cheapest(costs)
  return (
    <Stack gap={6}>
      <Group align="flex-end" gap="sm">
        {(['wrong', 'asked'] as const).map((name) => (
          <NumberInput
            key={name}
            label={t(`coverage.cost.${name}`)}
            w={176}
            min={0}
            max={1_000_000}
            value={costs[name]}
            onChange={(value) => typeof value === 'number' && setCosts({ ...costs, [name]: value })}
          />
        ))}
        {best !== undefined && (
          <Button variant="default" onClick={() => onChoose(best)}>
            {t('threshold.propose', { value: formatFraction(best, 0) })}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {t('coverage.cost.total', { cost: formatNumber(coverageCost(measure, costs)) })}
      </Text>
    </Stack>
  )
}
