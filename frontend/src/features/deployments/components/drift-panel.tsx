import { Alert, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useNothingWord } from '../../../answers/nothing-word'
import { formatAmount, formatFraction, formatNumber } from '../../../charts/format/format'
import { ErrorState } from '../../../ui/error-state'
import { Explained } from '../../../ui/explained'
import { LoadingState } from '../../../ui/loading-state'
import { useDrift } from '../api/watch'
import type { Deployment, Drift, ModelDrift } from '../api/types'
import { useModelLabel } from './model-label'

/** At most so many changed answers are listed. */
const MAX_LISTED = 3
/** Smaller changes of a share are nothing to speak of. */
const MIN_CHANGE = 0.02

/** Whether the models still answer as in their tests, in words. */
export function DriftPanel({ deployment }: { deployment: Deployment }) {
  const drift = useDrift(deployment.id)
  if (drift.isPending) return <LoadingState rows={1} />
  if (drift.isLoadingError) return <ErrorState error={drift.error} onRetry={() => void drift.refetch()} />
  return (
    <Stack gap="xs">
      {drift.data.models.map((model) => (
        <ModelDriftNote key={model.artefact} deployment={deployment} drift={drift.data} model={model} />
      ))}
    </Stack>
  )
}

interface NoteProps {
  deployment: Deployment
  drift: Drift
  model: ModelDrift
}

function ModelDriftNote({ deployment, drift, model }: NoteProps) {
  const { t } = useTranslation('deployments')
  const name = useModelLabel(deployment.project)(model.artefact)
  const isOne = drift.models.length === 1
  const title = isOne ? t('drift.title') : t('drift.title_of', { name })
  if (model.state === 'changed')
    return (
      <Alert color="orange" title={title}>
        <Changes drift={drift} model={model} />
      </Alert>
    )
  const message = t(`drift.${model.state}`, {
    days: drift.days,
    calls: model.num_calls,
    needed: drift.fewest_calls,
    count: model.num_tested,
  })
  return (
    <Text size="sm" c="dimmed">
      {isOne ? message : t('drift.of', { name, message })}
    </Text>
  )
}

function Changes({ drift, model }: Pick<NoteProps, 'drift' | 'model'>) {
  const { t } = useTranslation('deployments')
  const nothing = useNothingWord()
  const split = t(`drift.split.${model.split ?? 'test'}`)
  const { before, after } = model
  const changes = model.is_answers_changed
    ? model.changes.filter((each) => Math.abs(each.after - each.before) >= MIN_CHANGE).slice(0, MAX_LISTED)
    : []
  const predictsAmount = model.changes.length === 0
  const format = predictsAmount ? formatAmount : formatFraction
  const hasLevels = before && after && (predictsAmount || model.is_scores_changed)
  return (
    <Stack gap={6}>
      <List size="sm" spacing={2}>
        {changes.map((each) => (
          <List.Item key={each.label ?? ''}>
            {t('drift.answer', {
              days: drift.days,
              label: each.label ?? nothing,
              after: formatFraction(each.after, 0),
              before: formatFraction(each.before, 0),
              split,
            })}
          </List.Item>
        ))}
        {hasLevels && (
          <List.Item>
            {t(predictsAmount ? 'drift.numbers' : 'drift.scores', {
              days: drift.days,
              after: format(after.median),
              after_low: format(after.low),
              after_high: format(after.high),
              before: format(before.median),
              before_low: format(before.low),
              before_high: format(before.high),
              split,
            })}
          </List.Item>
        )}
      </List>
      <Text size="xs" c="dimmed" component="div">
        <Explained help={`${t('terms:psi')} ${t('terms:ks')}`}>
          {t('drift.figures', {
            calls: model.num_calls,
            items: model.num_tested,
            psi: formatNumber(model.psi),
            ks: formatNumber(model.ks),
          })}
        </Explained>
      </Text>
      <Text size="xs">{t('drift.todo')}</Text>
    </Stack>
  )
}
