import { Button, Grid, Group, Paper, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'

import { formatBytes } from '../../../lib/format'
import { useBestModels } from '../../../lib/project/best-models'
import { useProject, useProjectId } from '../../../lib/project/project'
import { useTask } from '../../../lib/project/task'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { Progress } from '../../../ui/progress'
import { useStart } from '../api/change-prediction'
import { useModelChoices, useVersionChoices } from '../../../lib/project/choices'
import type { Sent } from '../api/send-files'
import type { Artefact, Version } from '../api/types'
import { ModelField } from '../components/model-field'
import { SourceFields } from '../components/source-fields'
import { ALL_ITEMS, type PredictionForm, problemOf } from '../model/prediction-form'

/** Starts a batch prediction: which model, and what to predict. */
export function Component() {
  const { t } = useTranslation('predictions')
  const project = useProjectId()
  const found = useProject()
  const models = useModelChoices(project)
  const versions = useVersionChoices(project)
  const task = useTask()
  const best = useBestModels(project)
  if (!useHasRole('labeller')) return <Navigate to={`/projects/${project}/predictions`} replace />
  if (models.isPending || versions.isPending || found.isPending || task.isPending || best.isPending)
    return <LoadingPage title={t('form.title')} subtitle={t('lead')} />
  for (const query of [models, versions, found, task])
    if (query.isLoadingError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!models.data?.length) {
    return (
      <>
        <PageHeader title={t('form.title')} />
        <EmptyState
          drawing="model"
          title={t('no_model_title')}
          action={
            <Button component={Link} to={`/projects/${project}/studies`}>
              {t('to_studies')}
            </Button>
          }
        >
          {t('no_model_text')}
        </EmptyState>
      </>
    )
  }
  return (
    <NewPrediction
      project={project}
      dataset={found.data?.dataset ?? ''}
      models={models.data}
      versions={versions.data?.items ?? []}
      preset={best.data?.first ?? models.data[0]?.id ?? ''}
    />
  )
}

interface NewPredictionProps {
  project: string
  dataset: string
  models: readonly Artefact[]
  versions: readonly Version[]
  /** The model that one would use. */
  preset: string
}

function NewPrediction({ project, dataset, models, versions, preset }: NewPredictionProps) {
  const { t } = useTranslation('predictions')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const first = models.find(({ id }) => id === search.get('model'))
  const [form, setForm] = useState<PredictionForm>({
    artefact: first?.id ?? preset,
    source: 'items',
    items: ALL_ITEMS,
    version: versions[0]?.id ?? '',
    files: [],
  })
  const [sent, setSent] = useState<Sent | null>(null)
  const stop = useRef(new AbortController())
  const start = useStart(project, dataset)
  const problem = problemOf(form)
  const submit = () => {
    stop.current = new AbortController()
    setSent(null)
    start.mutate(
      { form, signal: stop.current.signal, onSent: setSent },
      { onSuccess: (run) => void navigate(`/projects/${project}/predictions/${run.id}`) },
    )
  }
  const isSending = start.isPending && form.source === 'files'
  const wasStopped = start.error instanceof DOMException
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!problem && !start.isPending) submit()
      }}
    >
      <PageHeader title={t('form.title')} subtitle={t('lead')} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Paper>
            <ModelField models={models} value={form.artefact} onChange={(artefact) => setForm({ ...form, artefact })} />
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Paper>
            <Stack>
              <fieldset disabled={start.isPending} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
                <SourceFields form={form} versions={versions} onChange={(changes) => setForm((before) => ({ ...before, ...changes }))} />
              </fieldset>
              {start.isError && !wasStopped && <ErrorState error={start.error} />}
              {isSending && <Sending form={form} sent={sent} />}
              <Group justify="flex-end" gap="xs">
                {problem && (
                  <Text size="xs" c="dimmed">
                    {t(`form.problem.${problem}`)}
                  </Text>
                )}
                {isSending && (
                  <Button variant="default" onClick={() => stop.current.abort()}>
                    {t('files.stop')}
                  </Button>
                )}
                <Button type="submit" disabled={problem !== null} loading={start.isPending}>
                  {t('form.submit')}
                </Button>
              </Group>
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
    </form>
  )
}

/** How far the files are on their way. */
function Sending({ form: { files }, sent }: { form: PredictionForm; sent: Sent | null }) {
  const { t } = useTranslation('predictions')
  const all = files.reduce((sum, { file }) => sum + file.size, 0)
  const bytes = Math.min(sent?.bytes ?? 0, all)
  return <Progress fraction={all ? bytes / all : 0} label={t('files.sending', { sent: formatBytes(bytes), all: formatBytes(all) })} />
}
