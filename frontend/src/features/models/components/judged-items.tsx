import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { useReportItems } from '../api/get-report'
import type { Artefact } from '../api/types'
import { type ItemsView, type SplitName, thresholdsIn } from '../model/items-query'
import { JudgedList } from './judged-list'

interface JudgedItemsProps {
  artefact: Artefact
  split: SplitName
  view: ItemsView
  /** Of rows: the columns as they are listed. */
  columns?: readonly string[] | undefined
  /** Shows one of them large. */
  onItem: (item: string) => void
}

/** Judged items, page by page; each opens large. */
export function JudgedItems({ artefact, split, view, columns, onItem }: JudgedItemsProps) {
  const { t } = useTranslation('report')
  const thresholds = thresholdsIn(view, artefact.manifest.thresholds)
  const items = useReportItems(artefact.id, split, view)
  if (items.isPending) return <LoadingState rows={2} height={160} />
  if (items.isLoadingError) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />
  const all = items.data.pages.flatMap((page) => page.items)
  if (!all.length) {
    return (
      <Text c="dimmed" size="sm">
        {t(view.kind === 'errors' ? 'worst_none' : 'items.none')}
      </Text>
    )
  }
  return (
    <>
      <JudgedList items={all} thresholds={thresholds} columns={columns} onItem={onItem} />
      <LoadMore query={items} />
    </>
  )
}
