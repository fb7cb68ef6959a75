import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'

import { ImportanceBars } from '../../../charts/importance-bars/importance-bars'
import { LearningCurves } from '../../../charts/learning-curves/learning-curves'
import { TrialScatter } from '../../../charts/trial-scatter/trial-scatter'
import { useParamName } from '../../../lib/project/task'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { Section } from '../../../ui/section'
import { StateBadge } from '../../../ui/state-badge'
import { useImportance, useStudy, useTrials } from '../api/get-studies'
import type { Study, Trial } from '../api/types'
import { FrontSection } from '../components/front-section'
import { ParallelSection } from '../components/parallel-section'
import { StudyActions } from '../components/study-actions'
import { StudySummary } from '../components/study-summary'
import { TrialDrawer } from '../components/trial-drawer'
import { TrialTable } from '../components/trial-table'
import { shownState } from '../model/study-facts'
import { defaultSelection, shownNumber, toCurve, toPoint } from '../model/trial-rows'

/** A study as it runs: what is best, how each trial learns, and what made the difference. */
export function Component() {
  const { t } = useTranslation('studies')
  const { study: id = '' } = useParams()
  const study = useStudy(id)
  const trials = useTrials(id, study.data?.state === 'running')
  if (study.isPending || trials.isPending) return <LoadingPage />
  if (study.isLoadingError) return <ErrorState error={study.error} onRetry={() => void study.refetch()} />
  if (trials.isLoadingError) return <ErrorState error={trials.error} onRetry={() => void trials.refetch()} />
  return (
    <>
      <PageHeader
        name={study.data.name || t('name')}
        title={
          <>
            {study.data.name || t('name')} <StateBadge state={shownState(study.data)} />
          </>
        }
        subtitle={t(`strategy.${study.data.strategy}`, study.data.strategy)}
        actions={<StudyActions study={study.data} />}
      />
      <StudyBody study={study.data} trials={trials.data} />
    </>
  )
}

function StudyBody({ study, trials }: { study: Study; trials: Trial[] }) {
  const { t } = useTranslation('studies')
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const [search, setSearch] = useSearchParams()
  const setOpened = (trial: string | null) => setSearch(trial ? { trial } : {}, { replace: true })
  const selected = chosen ?? new Set(defaultSelection(trials, study.judged_trial ?? study.best_trial))
  const metric = study.objective.name
  const nameOf = useNameOf()
  const toggle = (id: string) => {
    const after = new Set(selected)
    if (!after.delete(id)) after.add(id)
    setChosen(after)
  }
  const curves = trials
    .filter((trial) => selected.has(trial.id))
    .map((trial) => toCurve(trial, t('trial.title', { number: shownNumber(trial) })))
  const points = trials.filter((trial) => !trial.members).map((trial) => toPoint(trial, metric))
  const hasSettings = points.filter(({ value }) => value !== null).length > 1
  const isByFolds = trials.some((trial) => trial.evidence?.by === 'folds')
  return (
    <Stack>
      <StudySummary study={study} trials={trials} onOpen={setOpened} />
      {study.also_improves.length > 0 && <FrontSection study={study} trials={trials} onOpen={setOpened} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title={t('detail.curves')} help={`${t('detail.curves_hint')}${isByFolds ? t('detail.curves_folds') : ''}`}>
          <LearningCurves curves={curves} metric={metric} isOver={study.state !== 'running' && curves.length > 0} />
        </Section>
        <Section title={t('detail.scatter')} help={t('detail.scatter_hint')}>
          <TrialScatter
            trials={points}
            metric={metric}
            isHigherBetter={study.objective.is_higher_better}
            selected={selected}
            onSelect={setOpened}
            nameOf={nameOf}
          />
        </Section>
      </SimpleGrid>
      <Section title={t('detail.trials')}>
        <TrialTable study={study} trials={trials} selected={selected} onToggle={toggle} onOpen={setOpened} />
      </Section>
      {hasSettings && <ParallelSection study={study} trials={trials} onOpen={setOpened} nameOf={nameOf} />}
      <Importance study={study} />
      <TrialDrawer study={study} trial={trials.find((trial) => trial.id === search.get('trial')) ?? null} onClose={() => setOpened(null)} />
    </Stack>
  )
}

function Importance({ study }: { study: Study }) {
  const { t } = useTranslation('studies')
  const importance = useImportance(study.id)
  const nameOf = useNameOf()
  const params = importance.data?.params ?? {}
  // Too few trials, and no more will come.
  if (study.state !== 'running' && importance.data && Object.keys(params).length === 0) return null
  return (
    <Section title={t('detail.importance')} help={t('detail.importance_help')}>
      {importance.isPending && <LoadingState rows={3} height={20} />}
      {importance.isLoadingError && <ErrorState error={importance.error} onRetry={() => void importance.refetch()} />}
      {importance.data && Object.keys(params).length === 0 && (
        <Text size="sm" c="dimmed">
          {t('detail.importance_empty')}
        </Text>
      )}
      <ImportanceBars shares={params} nameOf={nameOf} />
    </Section>
  )
}

/** `family` and `size` are parameters of the search too, but of no family. */
function useNameOf(): (param: string) => string {
  const { t } = useTranslation('studies')
  const paramName = useParamName()
  return (param) => {
    if (param === 'family' || param === 'size') return t(`form.${param}`)
    return paramName(param).replace(/: size$/, `: ${t('form.size')}`)
  }
}
