import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { useReportItems } from '../api/get-report'
import type { Artefact } from '../api/types'
import type { ItemsView, SplitName } from '../model/items-query'
import classes from './judged-items.module.css'
import { JudgedRows } from './rows/judged-rows'

interface JudgedItemsProps {
  artefact: Artefact
  split: SplitName
  view: ItemsView
  /** Of rows: the columns as they are listed. */
  columns?: readonly string[] | undefined
}

/** A grid of judged pictures, page by page. */
export function JudgedItems({ artefact, split, view, columns }: JudgedItemsProps) {
  const { t } = useTranslation('models')
  const { JudgedCard } = useAnswerKind()
  const items = useReportItems(artefact.id, split, view)
  if (items.isPending) return <LoadingState rows={2} height={160} />
  if (items.isLoadingError) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />
  const all = items.data.pages.flatMap((page) => page.items)
  if (!all.length) {
    return (
      <Text c="dimmed" size="sm">
        {t(view.kind === 'errors' ? 'report.worst_none' : 'items.none')}
      </Text>
    )
  }
  if (columns) {
    return (
      <>
        <JudgedRows items={all} columns={columns} />
        <LoadMore query={items} />
      </>
    )
  }
  return (
    <>
      <div className={classes.grid}>
        {all.map((item) => (
          <JudgedCard key={item.item} item={item} thresholds={artefact.manifest.thresholds} />
        ))}
      </div>
      <LoadMore query={items} />
    </>
  )
}
