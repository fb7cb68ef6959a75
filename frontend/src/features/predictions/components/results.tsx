import { Group, SegmentedControl, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { useItemKind } from '../../../items'
import { formatNumber } from '../../../lib/format'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { useResults } from '../api/get-predictions'
import type { Result, Run } from '../api/types'
import { isRunning } from '../model/run-state'
import { ResultCard } from './result-card'
import { ResultRows } from './result-rows'
import { ResultViewer } from './result-viewer'
import classes from './results.module.css'

/** What came out, item by item: all of it, or what failed with the reason. */
export function Results({ run }: { run: Run }) {
  const { t } = useTranslation('predictions')
  if (!run.artefact) return <EmptyState title={t('gone_title')}>{t('gone_text')}</EmptyState>
  if (!run.num_results) {
    return <EmptyState title={t(isRunning(run) ? 'none_yet_title' : 'none_title')}>{isRunning(run) && t('none_yet_text')}</EmptyState>
  }
  return <ResultList run={run} labels={run.artefact.labels} />
}

function ResultList({ run, labels }: { run: Run; labels: readonly string[] }) {
  const { t } = useTranslation('predictions')
  const [search, setSearch] = useSearchParams()
  const only = ONLY.find((each) => each === search.get('only')) ?? null
  const { wall } = useItemKind()
  const isLive = isRunning(run)
  const results = useResults(run.id, only, isLive)
  const { refetch } = results
  const wasLive = useRef(isLive)
  useEffect(() => {
    // The last ones come with the end.
    if (wasLive.current && !isLive) void refetch()
    wasLive.current = isLive
  }, [isLive, refetch])
  const all = results.data?.pages.flatMap(({ items }) => items) ?? []
  const [shown, setShown] = useState<number | null>(null)
  const choose = (value: string) =>
    setSearch((before) => {
      if (value === 'all') before.delete('only')
      else before.set('only', value)
      return before
    })
  return (
    <section aria-label={t('results.title')}>
      <Group gap="xs" mb="sm">
        <SegmentedControl
          size="xs"
          aria-label={t('results.show')}
          value={only ?? 'all'}
          onChange={choose}
          data={[
            { value: 'all', label: t('results.all', { number: formatNumber(run.num_results) }) },
            ...(run.num_asked > 0 || only === 'asked'
              ? [{ value: 'asked', label: t('results.asked', { number: formatNumber(run.num_asked) }) }]
              : []),
            { value: 'failed', label: t('results.failed', { number: formatNumber(run.num_failed) }) },
          ]}
        />
      </Group>
      {results.isPending && <LoadingState rows={2} height={120} />}
      {results.isLoadingError && <ErrorState error={results.error} onRetry={() => void refetch()} />}
      {results.data && all.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" py="lg">
          {t(only ? `results.none_${only}` : 'none_title')}
        </Text>
      )}
      {all.length > 0 &&
        (wall.form === 'sheet' && only !== 'failed' ? (
          <ResultRows run={run} results={all} query={results} />
        ) : (
          <>
            <Cards results={all} isLines={wall.form !== 'tiles' || only === 'failed'} onOpen={setShown} />
            <LoadMore query={results} />
          </>
        ))}
      {shown !== null && (
        <ResultViewer project={run.project} results={all} place={shown} labels={labels} onPlace={setShown} onClose={() => setShown(null)} />
      )}
    </section>
  )
}

const ONLY = ['failed', 'asked'] as const

interface CardsProps {
  results: readonly Result[]
  /** In one column, for texts; else side by side. */
  isLines: boolean
  onOpen: (place: number) => void
}

function Cards({ results, isLines, onOpen }: CardsProps) {
  return (
    <ul className={classes.grid} data-lines={isLines || undefined}>
      {results.map((result) => (
        <ResultCard key={result.place} result={result} isLine={isLines} onOpen={() => onOpen(result.place)} />
      ))}
    </ul>
  )
}
