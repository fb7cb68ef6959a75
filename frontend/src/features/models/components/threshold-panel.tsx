import { Button, Group, NumberInput, Select, Slider, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction, formatNumber } from '../../../charts/format/format'
import { afterMutation } from '../../../lib/after-mutation'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { useChangeArtefact } from '../api/get-artefacts'
import type { Artefact } from '../api/types'
import type { ItemsView } from '../model/items-query'
import { changedThresholds, cheapestThreshold, clamped, type Costs, costOf, countsAt, type ThresholdTable } from '../model/threshold-counts'
import { ThresholdCells } from './threshold-cells'
import classes from './threshold-panel.module.css'

interface ThresholdPanelProps {
  artefact: Artefact
  labels: readonly string[]
  /** Two labels that exclude each other. */
  hasPair: boolean
  /** Of the split that is looked at. */
  tables: readonly ThresholdTable[]
  /** Of the validation split, by which a threshold is proposed; empty where there is none. */
  chosenOn: readonly ThresholdTable[]
  /** Null where the items behind a count are not known. */
  onItems: ((view: ItemsView) => void) | null
}

const NEUTRAL = 0.5

/** A slider; everything beside it follows in the page. */
export function ThresholdPanel({ artefact, labels, hasPair, tables, chosenOn, onItems }: ThresholdPanelProps) {
  const { t } = useTranslation('report')
  const rarest = [...tables].sort((one, other) => one.support - other.support)[0]
  const [chosenLabel, setLabel] = useState(hasPair ? rarest?.label : tables[0]?.label)
  const [tried, setTried] = useState<Record<string, number>>({})
  const [costs, setCosts] = useState<Costs>({ miss: 1, false_alarm: 1 })
  const table = tables.find((each) => each.label === chosenLabel) ?? tables[0]
  if (!table) return null
  const { label } = table
  const other = hasPair ? (labels.find((each) => each !== label) ?? null) : null
  const now = artefact.thresholds[label] ?? NEUTRAL
  const threshold = tried[label] ?? now
  const counts = countsAt(table, threshold)
  const judge = chosenOn.find((each) => each.label === label)
  const choose = (value: number) => setTried((before) => ({ ...before, [label]: clamped(value) }))
  return (
    <div className={classes.root}>
      <Stack gap="md">
        <Group align="flex-end" wrap="nowrap">
          <Select
            label={t('threshold.label')}
            value={label}
            data={tables.map((each) => each.label)}
            allowDeselect={false}
            disabled={tables.length === 1}
            onChange={(value) => value && setLabel(value)}
          />
          <NumberInput
            label={t('threshold.from')}
            w={120}
            suffix="%"
            min={0.01}
            max={99.99}
            step={1}
            decimalScale={2}
            value={Math.round(threshold * 1e4) / 100}
            onChange={(value) => typeof value === 'number' && choose(value / 100)}
          />
        </Group>
        <Slider
          thumbLabel={t('threshold.of', { label })}
          min={0}
          max={100}
          step={0.1}
          value={threshold * 100}
          label={(value) => `${value.toFixed(1)}%`}
          marks={[{ value: now * 100, label: t('threshold.now', { value: formatFraction(now) }) }]}
          onChange={(value) => choose(value / 100)}
          mb="md"
        />
        <CostFields
          costs={costs}
          cost={costOf(counts, costs)}
          cheapest={cheapestThreshold(judge ?? table, costs)}
          isByValidation={judge !== undefined}
          onCosts={setCosts}
          onChoose={choose}
        />
        <DefaultThreshold
          artefact={artefact}
          label={label}
          threshold={threshold}
          thresholds={changedThresholds(artefact.thresholds, label, threshold, other)}
          onDone={() => setTried({})}
        />
      </Stack>
      <ThresholdCells
        label={label}
        counts={counts}
        onOutcome={onItems && ((outcome) => onItems({ kind: 'outcome', label, threshold, outcome, other }))}
      />
    </div>
  )
}

interface CostFieldsProps {
  costs: Costs
  /** At the threshold that is tried. */
  cost: number
  cheapest: number
  isByValidation: boolean
  onCosts: (costs: Costs) => void
  onChoose: (threshold: number) => void
}

/** What mistakes cost, and the threshold that follows from it. */
function CostFields({ costs, cost, cheapest, isByValidation, onCosts, onChoose }: CostFieldsProps) {
  const { t } = useTranslation('report')
  return (
    <Stack gap={6}>
      <Group align="flex-end" gap="sm">
        {(['miss', 'false_alarm'] as const).map((mistake) => (
          <NumberInput
            key={mistake}
            label={t(`threshold.cost.${mistake}`)}
            w={176}
            min={0}
            max={1_000_000}
            value={costs[mistake]}
            onChange={(value) => typeof value === 'number' && onCosts({ ...costs, [mistake]: value })}
          />
        ))}
        <Button variant="default" onClick={() => onChoose(cheapest)}>
          {t('threshold.propose', { value: formatFraction(cheapest) })}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t('threshold.cost.total', { cost: formatNumber(cost) })}{' '}
        {t(isByValidation ? 'threshold.cost.by_validation' : 'threshold.cost.by_split')}
      </Text>
    </Stack>
  )
}

interface DefaultThresholdProps {
  artefact: Artefact
  label: string
  threshold: number
  /** All of the model, with the one that is tried. */
  thresholds: Record<string, number>
  onDone: () => void
}

/** Makes a threshold the one from which deployments answer. */
function DefaultThreshold({ artefact, label, threshold, thresholds, onDone }: DefaultThresholdProps) {
  const { t } = useTranslation('report')
  const canWrite = useHasRole('engineer')
  const change = useChangeArtefact(artefact.id)
  if (!canWrite) return null
  const save = (values: Record<string, number>) =>
    afterMutation(change.mutateAsync({ thresholds: values }, { onSuccess: onDone }), () => notifyDone(t('threshold.saved')))
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button disabled={threshold === artefact.thresholds[label]} loading={change.isPending} onClick={() => save(thresholds)}>
          {t('threshold.save')}
        </Button>
        {artefact.is_threshold_chosen && (
          <Button variant="default" disabled={change.isPending} onClick={() => save({})}>
            {t('threshold.reset')}
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {t('threshold.save_help')}
      </Text>
      {change.isError && <ErrorState error={change.error} />}
    </Stack>
  )
}
