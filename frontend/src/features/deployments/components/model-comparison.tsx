import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { formatFraction, formatLatency, formatNumber } from '../../../charts/format/format'
import { seriesColor } from '../../../charts/palette/palette'
import { useScheme } from '../../../charts/palette/use-scheme'
import { ShareBar } from '../../../charts/share-bar/share-bar'
import { afterMutation } from '../../../lib/after-mutation'
import { useHasRole } from '../../../lib/session/session'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { useFeedback } from '../api/change-deployment'
import { useComparison } from '../api/traffic'
import type { Compared, Comparison, Deployment } from '../api/types'
import { ModelLink } from './model-label'

const DAYS = [1, 7, 30]
const MOST_SENT = 1000

/** The figures of the models' calls, side by side. */
export function ModelComparison({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const [days, setDays] = useState(7)
  const comparison = useComparison(deployment.id, days)
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {t('compare.title')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('compare.period')}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={DAYS.map((count) => ({ value: String(count), label: t('compare.days', { count }) }))}
        />
      </Group>
      {comparison.isPending && <LoadingState rows={2} />}
      {comparison.isLoadingError && <ErrorState error={comparison.error} onRetry={() => void comparison.refetch()} />}
      {comparison.data && <Compare deployment={deployment} comparison={comparison.data} />}
    </Stack>
  )
}

function Compare({ deployment, comparison }: { deployment: Deployment; comparison: Comparison }) {
  const { t } = useTranslation('deployments')
  const rows = [...comparison.models, ...(comparison.shadow ? [comparison.shadow] : [])]
  const columns = useColumns(deployment, comparison)
  return (
    <>
      <DataTable caption={t('compare.title')} columns={columns} rows={rows} rowKey={(row) => row.artefact} />
      {comparison.shadow && <Disagreements deployment={deployment} number={comparison.disagreements} />}
    </>
  )
}

function useColumns(deployment: Deployment, comparison: Comparison): Column<Compared>[] {
  const { t } = useTranslation('deployments')
  const { hasUncertainty } = useAnswerKind()
  const shares = new Map(deployment.models.map((each) => [each.artefact, each.share]))
  const models = [...comparison.models, ...(comparison.shadow ? [comparison.shadow] : [])]
  const labels = [...new Set(models.flatMap((each) => each.labels.map(({ label }) => label)))].sort()
  const number = (key: string, render: Column<Compared>['render'], width = 90): Column<Compared> => ({
    key,
    title: t(`compare.${key}`),
    width,
    align: 'right',
    render,
  })
  return [
    { key: 'model', title: t('compare.model'), render: (row) => <ModelLink project={deployment.project} artefact={row.artefact} /> },
    number('share', (row) => (row.artefact === comparison.shadow?.artefact ? t('compare.shadow') : `${shares.get(row.artefact) ?? 0}%`)),
    number('calls', (row) => row.calls),
    number('errors', (row) => row.errors),
    number('p50', (row) => formatLatency(row.p50_ms)),
    number('p95', (row) => formatLatency(row.p95_ms)),
    ...(hasUncertainty ? [number('uncertainty', (row) => formatFraction(row.uncertainty, 0), 100)] : []),
    number('loss', (row) => (row.feedback ? t('compare.loss_of', { loss: formatFraction(row.loss), count: row.feedback }) : '–'), 130),
    ...(comparison.shadow ? [number('agreed', (row) => (row.compared ? formatFraction(row.agreed / row.compared, 0) : '–'), 110)] : []),
    { key: 'answers', title: t('compare.answers'), width: 220, render: (row) => <Answers row={row} labels={labels} /> },
  ]
}

/** What a model answers how often; a label has one colour for all models. */
function Answers({ row, labels }: { row: Compared; labels: readonly string[] }) {
  const { t } = useTranslation('deployments')
  const scheme = useScheme()
  if (row.median_value !== null) return t('compare.median', { value: formatNumber(row.median_value) })
  if (row.labels.length === 0) return '–'
  const fractions = new Map(row.labels.map((each) => [each.label, each.fraction]))
  const parts = labels.map((label, place) => ({
    key: label,
    title: label,
    count: Math.round((fractions.get(label) ?? 0) * 100),
    color: seriesColor(place, scheme),
  }))
  return <ShareBar parts={parts} hasLegend={labels.length <= 4} />
}

function Disagreements({ deployment, number }: { deployment: Deployment; number: number }) {
  const { t } = useTranslation('deployments')
  const canLabel = useHasRole('engineer')
  const feedback = useFeedback(deployment.id)
  const send = () =>
    afterMutation(feedback.mutateAsync({ reason: 'disagreement', limit: MOST_SENT }), (sent) =>
      notifyDone(t('feedback.done', { count: sent.items })),
    )
  return (
    <Group gap="sm">
      <Text size="sm">
        {deployment.keep_inputs === 'none' ? t('compare.disagreements_unkept') : t('compare.disagreements', { count: number })}
      </Text>
      {canLabel && number > 0 && (
        <Button size="xs" loading={feedback.isPending} onClick={send}>
          {t('feedback.button')}
        </Button>
      )}
    </Group>
  )
}
