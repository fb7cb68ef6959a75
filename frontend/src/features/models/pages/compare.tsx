import { Group, Select, SegmentedControl, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { ApiError } from '../../../lib/api/errors'
import { useProjectId } from '../../../lib/project/project'
import { useMetrics, useModelName, useTask } from '../../../lib/project/task'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { useArtefact, useArtefacts } from '../api/get-artefacts'
import { usePair } from '../api/get-pair'
import { useModelReport } from '../api/get-report'
import type { Artefact } from '../api/types'
import { Comparison } from '../components/comparison'
import { comparableWith } from '../model/comparison'

/** Two models side by side. Only models of one dataset version are offered. */
export function Component() {
  const { t } = useTranslation('models')
  const project = useProjectId()
  const [search, setSearch] = useSearchParams()
  const artefacts = useArtefacts(project)
  const all = artefacts.data?.pages.flatMap((page) => page.items) ?? []
  const left = useArtefact(search.get('left') ?? all[0]?.id ?? null)
  const others = left.data ? comparableWith(left.data, all) : []
  const right = others.find((other) => other.id === search.get('right')) ?? others[0]
  const choose = (side: 'left' | 'right', id: string | null) => {
    if (!id) return
    search.set(side, id)
    setSearch(search, { replace: true })
  }
  const modelName = useModelName()
  const nameOf = ({ number, family, size, num_members }: Artefact) => `${t('name', { number })} · ${modelName(family, size, num_members)}`
  if (artefacts.isPending || (left.isPending && left.fetchStatus !== 'idle')) return <LoadingState />
  if (artefacts.isLoadingError) return <ErrorState error={artefacts.error} onRetry={() => void artefacts.refetch()} />
  if (left.isLoadingError) return <ErrorState error={left.error} onRetry={() => void left.refetch()} />
  return (
    <>
      <PageHeader title={t('comparison.title')} />
      <Group mb="md">
        <Select
          aria-label={t('comparison.choose')}
          w={320}
          value={left.data?.id ?? null}
          data={all.map((each) => ({ value: each.id, label: nameOf(each) }))}
          onChange={(id) => choose('left', id)}
        />
        <Select
          aria-label={t('comparison.with')}
          w={320}
          disabled={others.length === 0}
          value={right?.id ?? null}
          data={others.map((each) => ({ value: each.id, label: nameOf(each) }))}
          onChange={(id) => choose('right', id)}
        />
      </Group>
      {left.data && right ? <ComparedReports left={left.data} right={right} /> : <EmptyState title={t('comparison.none')} />}
    </>
  )
}

function ComparedReports({ left, right }: Pick<Parameters<typeof Comparison>[0], 'left' | 'right'>) {
  const { t } = useTranslation('models')
  const [search, setSearch] = useSearchParams()
  const metrics = useMetrics()
  const [leftReport, rightReport, task] = [useModelReport(left.id), useModelReport(right.id), useTask()]
  if (leftReport.isPending || rightReport.isPending || task.isPending) return <LoadingState />
  for (const query of [leftReport, rightReport, task]) {
    if (query.isLoadingError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  }
  if (!leftReport.data || !rightReport.data) return null
  const names = leftReport.data.splits
    .map((split) => split.split)
    .filter((name) => rightReport.data.splits.some((each) => each.split === name))
  const split = names.find((name) => name === search.get('split')) ?? names.find((name) => name === 'test') ?? names[0]
  if (!split) return <EmptyState title={t('comparison.no_split')} />
  return (
    <Stack>
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('report.split')}
        value={split}
        data={names.map((name) => ({ value: name, label: t(`charts:split.${name}`) }))}
        onChange={(name) => {
          search.set('split', name)
          setSearch(search, { replace: true })
        }}
      />
      <ComparedSplit
        left={left}
        right={right}
        leftReport={leftReport.data}
        rightReport={rightReport.data}
        split={split}
        metrics={metrics}
      />
    </Stack>
  )
}

function ComparedSplit(props: Omit<Parameters<typeof Comparison>[0], 'pair'>) {
  const pair = usePair(props.left.id, props.right.id, props.split)
  if (pair.isPending) return <LoadingState />
  // A paired test may be impossible though the reports can be shown; an unreachable server is retried.
  if (pair.isLoadingError && !(pair.error instanceof ApiError && pair.error.status < 500))
    return <ErrorState error={pair.error} onRetry={() => void pair.refetch()} />
  return <Comparison {...props} pair={pair.data ?? null} />
}
