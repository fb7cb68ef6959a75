import { Alert, Button, List, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { BeforeAfterColumns, BeforeAfterLegend, BeforeAfterRows, type BinShares } from '../../../charts/before-after/before-after'
import { formatAmount, formatNumber } from '../../../charts/format/format'
import { useLocalText } from '../../../lib/local-text'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Term } from '../../../ui/term'
import { useInputDrift } from '../api/watch'
import type { Deployment, InputDrift, InputFact, ModelInputs } from '../api/types'
import { useModelLabel } from './model-label'

/** So many changes are written out; the others are drawn. */
const MOST_SENTENCES = 5
/** Facts that are drawn until all are asked for. */
const MOST_DRAWN = 6
/** Values of a category that are drawn. */
const MOST_VALUES = 6

/** Three digits are enough for where something lies. */
const short = (value: number) => formatAmount(Number(value.toPrecision(3)))

/** Whether callers' items are still like the data of the models, in words and small charts. */
export function InputDriftPanel({ deployment }: { deployment: Deployment }) {
  const inputs = useInputDrift(deployment.id)
  if (inputs.isPending) return <LoadingState rows={1} />
  if (inputs.isLoadingError) return <ErrorState error={inputs.error} onRetry={() => void inputs.refetch()} />
  return (
    <Stack gap="xs">
      {inputs.data.models.map((model) => (
        <ModelInputsNote key={model.artefact} deployment={deployment} inputs={inputs.data} model={model} />
      ))}
    </Stack>
  )
}

interface NoteProps {
  deployment: Deployment
  inputs: InputDrift
  model: ModelInputs
}

function ModelInputsNote({ deployment, inputs, model }: NoteProps) {
  const { t } = useTranslation('deployments')
  const name = useModelLabel(deployment.project)(model.artefact)
  const isOne = inputs.models.length === 1
  if (model.state === 'changed')
    return (
      <Alert color="orange" title={isOne ? t('inputs.title') : t('inputs.title_of', { name })}>
        <Changes inputs={inputs} model={model} />
      </Alert>
    )
  const values = { days: inputs.days, calls: model.num_calls, needed: inputs.fewest_calls, facts: model.num_facts }
  const sentence = t(`inputs.${model.state}`, values)
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" c="dimmed">
        {isOne ? sentence : t('drift.of', { name, message: sentence })}
      </Text>
      {model.facts.length > 0 && <Facts facts={model.facts} numAtFirst={0} />}
    </Stack>
  )
}

function Changes({ inputs, model }: Pick<NoteProps, 'inputs' | 'model'>) {
  const { t } = useTranslation('deployments')
  const say = useLocalText()
  const changed = model.facts.filter((fact) => fact.is_changed)
  return (
    <Stack gap={8}>
      <List size="sm" spacing={2}>
        {changed.slice(0, MOST_SENTENCES).map((fact) => (
          <List.Item key={fact.name}>
            {fact.sentence && say(fact.sentence)} <Median fact={fact} />
          </List.Item>
        ))}
        {model.num_changed > MOST_SENTENCES && <List.Item>{t('inputs.more', { count: model.num_changed - MOST_SENTENCES })}</List.Item>}
      </List>
      <Facts facts={model.facts} numAtFirst={Math.min(changed.length, MOST_DRAWN)} />
      <Text size="xs" c="dimmed">
        {t('inputs.figures', { days: inputs.days, calls: model.num_calls, items: model.num_judged, facts: model.num_facts })}
      </Text>
      <Text size="xs">{t('inputs.todo')}</Text>
    </Stack>
  )
}

/** Small charts, those that changed most first. */
function Facts({ facts, numAtFirst }: { facts: readonly InputFact[]; numAtFirst: number }) {
  const { t } = useTranslation('deployments')
  const [areAllShown, setAllShown] = useState(false)
  const shown = areAllShown ? facts : facts.slice(0, numAtFirst)
  return (
    <Stack gap={8} w="100%" align="flex-start">
      {shown.length > 0 && (
        <>
          <Text size="xs" component="div">
            <BeforeAfterLegend before={t('inputs.before')} after={t('inputs.after')} />
          </Text>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg" w="100%">
            {shown.map((fact) => (
              <FactChart key={fact.name} fact={fact} />
            ))}
          </SimpleGrid>
        </>
      )}
      {numAtFirst < facts.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? t('inputs.hide') : t('inputs.show', { count: facts.length })}
        </Button>
      )}
    </Stack>
  )
}

function FactChart({ fact }: { fact: InputFact }) {
  const { t } = useTranslation('deployments')
  const say = useLocalText()
  const nameOf = useBinName()
  const title = say(fact.title)
  const bins: BinShares[] = fact.bins.map((bin) => ({
    name: nameOf(bin),
    before: bin.before,
    after: bin.after,
    isApart: bin.role === 'missing',
  }))
  const used = withoutEmptyEnds(bins)
  const ranges = used.filter((bin) => !bin.isApart)
  return (
    <div>
      <Text size="xs" fw={600} truncate title={title}>
        {title}
      </Text>
      <Text size="xs" c="dimmed" mb={4}>
        <Term word="psi">{t('inputs.psi', { psi: formatNumber(fact.psi) })}</Term> <Median fact={fact} />
      </Text>
      {fact.kind === 'numeric' ? (
        <BeforeAfterColumns bins={used} label={title} ends={[ranges[0]?.name ?? '', ranges.at(-1)?.name ?? '']} />
      ) : (
        <BeforeAfterRows bins={mostChanged(bins)} label={title} />
      )}
    </div>
  )
}

/** Bins far out are there in case numbers move far; most often nothing lies there. */
function withoutEmptyEnds(bins: readonly BinShares[]): BinShares[] {
  const isUsed = ({ before, after }: BinShares) => before > 0 || after > 0
  return bins.slice(bins.findIndex(isUsed), bins.findLastIndex(isUsed) + 1)
}

/** The values that changed most, in the order given. */
function mostChanged(bins: readonly BinShares[]): BinShares[] {
  const change = ({ before, after }: BinShares) => Math.abs(after - before)
  const chosen = new Set([...bins].sort((one, other) => change(other) - change(one)).slice(0, MOST_VALUES))
  return bins.filter((bin) => chosen.has(bin))
}

/** Where the middle of the numbers lay before and lies now; only bins are known of calls. */
function Median({ fact }: { fact: InputFact }) {
  const { t } = useTranslation('deployments')
  const nameOf = useBinName()
  const { median_before: before, median_after_low: low, median_after_high: high } = fact
  if (before == null || (low == null && high == null)) return null
  return t('inputs.median', { before: short(before), after: nameOf({ role: 'range', low, high, value: null }) })
}

function useBinName() {
  const { t } = useTranslation('deployments')
  return ({ role, low, high, value }: Pick<InputFact['bins'][number], 'role' | 'low' | 'high' | 'value'>): string => {
    if (role === 'value') return value ?? ''
    if (role !== 'range') return t(`inputs.bin.${role}`)
    if (low == null) return high == null ? t('inputs.bin.any') : t('inputs.below', { value: short(high) })
    if (high == null) return t('inputs.above', { value: short(low) })
    return t('inputs.between', { low: short(low), high: short(high) })
  }
}
