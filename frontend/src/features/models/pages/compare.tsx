import { Group, MultiSelect, SegmentedControl, Select, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { IntervalBars } from '../../../charts/interval-bars/interval-bars'
import { ApiError } from '../../../lib/api/errors'
import { useLocalText } from '../../../lib/local-text'
import { useProjectId } from '../../../lib/project/project'
import { useMetrics, useModelName } from '../../../lib/project/task'
import { CopyButton } from '../../../ui/copy-button'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { Section } from '../../../ui/section'
import { useArtefact, useArtefacts } from '../api/get-artefacts'
import { usePairs } from '../api/get-pair'
import { useModelReports } from '../api/get-report'
import type { Artefact, Report, SplitReport } from '../api/types'
import { AgainstTable } from '../components/against-table'
import { Comparison } from '../components/comparison'
import { adjusted, chosenOf } from '../model/against'
import { comparableWith } from '../model/comparison'
import { intervalRows } from '../model/metric-rows'

/** Models against a base. Only models of one dataset version are offered; the address holds what was chosen. */
export function Component() {
  const { t } = useTranslation('models')
  const project = useProjectId()
  const [search, setSearch] = useSearchParams()
  const artefacts = useArtefacts(project)
  const all = artefacts.data?.pages.flatMap((page) => page.items) ?? []
  const base = useArtefact(search.get('left') ?? all[0]?.id ?? null)
  const offered = base.data ? comparableWith(base.data, all) : []
  const chosen = chosenOf(search.get('right'), offered)
  const others = chosen.length > 0 ? chosen : offered.slice(0, 1)
  const choose = (side: 'left' | 'right', value: string | null) => {
    if (!value) return
    search.set(side, value)
    for (const ofBefore of ['focus', 'item']) search.delete(ofBefore)
    setSearch(search, { replace: true })
  }
  const modelName = useModelName()
  const nameOf = ({ number, family, size, num_members }: Artefact) => `${t('name', { number })} · ${modelName(family, size, num_members)}`
  const optionsOf = (models: readonly Artefact[]) => models.map((each) => ({ value: each.id, label: nameOf(each) }))
  if (artefacts.isPending || (base.isPending && base.fetchStatus !== 'idle')) return <LoadingState />
  if (artefacts.isLoadingError) return <ErrorState error={artefacts.error} onRetry={() => void artefacts.refetch()} />
  if (base.isLoadingError) return <ErrorState error={base.error} onRetry={() => void base.refetch()} />
  return (
    <>
      <PageHeader title={t('comparison.title')} actions={<CopyButton value={window.location.href} label={t('comparison.copy_link')} />} />
      <Group mb="md" align="flex-start">
        <Select
          label={t('comparison.choose')}
          w={{ base: '100%', sm: 420 }}
          value={base.data?.id ?? null}
          data={optionsOf(all)}
          onChange={(id) => choose('left', id)}
        />
        <MultiSelect
          label={t('comparison.with')}
          flex="1 1 320px"
          searchable
          hidePickedOptions
          disabled={offered.length === 0}
          value={others.map(({ id }) => id)}
          data={optionsOf(offered)}
          onChange={(ids) => choose('right', ids.join(','))}
        />
      </Group>
      {base.data && others.length > 0 ? <ComparedReports models={[base.data, ...others]} /> : <EmptyState title={t('comparison.none')} />}
    </>
  )
}

/** The base comes first. */
function ComparedReports({ models }: { models: readonly Artefact[] }) {
  const { t } = useTranslation('models')
  const [search, setSearch] = useSearchParams()
  const queries = useModelReports(models.map(({ id }) => id))
  const failed = queries.find((query) => query.isLoadingError)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  const reports = queries.flatMap(({ data }) => data ?? [])
  const [first] = reports
  if (!first || reports.length < models.length) return <LoadingState />
  const names = first.splits
    .map(({ split }) => split)
    .filter((name) => reports.every(({ splits }) => splits.some(({ split }) => split === name)))
  const split = names.find((name) => name === search.get('split')) ?? names.find((name) => name === 'test') ?? names[0]
  if (!split) return <EmptyState title={t('comparison.no_split')} />
  return (
    <Stack>
      <SegmentedControl
        size="xs"
        w="fit-content"
        tt="capitalize"
        aria-label={t('report:split')}
        value={split}
        data={names.map((name) => ({ value: name, label: t(`charts:split.${name}`) }))}
        onChange={(name) => {
          search.set('split', name)
          setSearch(search, { replace: true })
        }}
      />
      <ComparedSplit models={models} reports={reports} split={split} />
    </Stack>
  )
}

interface ComparedSplitProps {
  models: readonly Artefact[]
  reports: readonly Report[]
  split: SplitReport['split']
}

function ComparedSplit({ models, reports, split }: ComparedSplitProps) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const [search, setSearch] = useSearchParams()
  const metrics = useMetrics()
  const [base, ...others] = models
  const queries = usePairs(
    base?.id ?? '',
    others.map(({ id }) => id),
    split,
  )
  if (queries.some((query) => query.isPending)) return <LoadingState />
  // A paired test may be impossible though the reports can be shown; an unreachable server is retried.
  const failed = queries.find(({ isLoadingError, error }) => isLoadingError && !(error instanceof ApiError && error.status < 500))
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  const pairs = [null, ...adjusted(queries.map(({ data }) => data ?? null))]
  const compared = models.flatMap((artefact, place) => {
    const report = reports[place]
    const own = report?.splits.find((each) => each.split === split)
    return report && own ? [{ artefact, report, split: own, pair: pairs[place] ?? null }] : []
  })
  const [first, ...rest] = compared
  const focused = rest.find(({ artefact }) => artefact.id === search.get('focus')) ?? rest[0]
  if (!first || !focused) return null
  const splits = compared.map((each) => each.split)
  const show = (artefact: string) => {
    search.set('focus', artefact)
    search.delete('item')
    setSearch(search, { replace: true })
  }
  return (
    <>
      <AgainstTable compared={compared} metrics={metrics} focus={focused.artefact.id} onFocus={show} />
      <Section title={t('comparison.metrics', { split: t(`charts:split.${split}`) })}>
        {metrics[0]?.unit === 'target' && <IntervalBars unit="amount" rows={intervalRows(metrics, splits, text, 'target')} />}
        <IntervalBars rows={intervalRows(metrics, splits, text)} />
      </Section>
      <Comparison
        key={focused.artefact.id}
        left={first.artefact}
        right={focused.artefact}
        leftReport={first.report}
        rightReport={focused.report}
        split={split}
        pair={focused.pair}
      />
    </>
  )
}
