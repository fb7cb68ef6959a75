import { Anchor, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { RelativeTime } from '../../../ui/relative-time'
import { StateBadge } from '../../../ui/state-badge'
import { usePredictionRun } from '../api/get-predictions'
import type { Run } from '../api/types'
import { Results } from '../components/results'
import { RunActions } from '../components/run-actions'
import { RunProgress } from '../components/run-progress'
import { SuggestPanel } from '../components/suggest-panel'
import { useSourceWords } from '../components/use-source-words'

/** A batch prediction: how far it is, and its results as far as there are some. */
export function Component() {
  const { prediction = '' } = useParams()
  const run = usePredictionRun(prediction)
  const sourceWords = useSourceWords()
  if (run.isPending) return <LoadingPage />
  if (run.isLoadingError) return <ErrorState error={run.error} onRetry={() => void run.refetch()} />
  const name = sourceWords(run.data)
  return (
    <>
      <PageHeader
        name={name}
        title={
          <>
            {name} {run.data.job && <StateBadge state={run.data.job.state} />}
          </>
        }
        subtitle={<Subtitle run={run.data} />}
        actions={<RunActions run={run.data} />}
      />
      <Stack>
        <RunProgress run={run.data} asOf_ms={run.dataUpdatedAt} />
        <SuggestPanel run={run.data} />
        <Results run={run.data} />
      </Stack>
    </>
  )
}

/** By which model, and who started it when. */
function Subtitle({ run: { artefact, project, created_by, created_at } }: { run: Run }) {
  const { t } = useTranslation('predictions')
  const model = artefact ? t('model', { number: artefact.number }) : t('model_gone')
  return (
    <>
      {artefact?.project === project ? (
        <Anchor component={Link} to={`/projects/${project}/models/${artefact.id}`} size="sm">
          {model}
        </Anchor>
      ) : (
        model
      )}{' '}
      · {created_by.name} · <RelativeTime value={created_at} />
    </>
  )
}
