import { useDisclosure } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { useReportItems } from '../api/get-report'
import type { Artefact } from '../api/types'
import { type ItemsView, type SplitName, thresholdsIn } from '../model/items-query'
import { ItemViewer } from './item-viewer'
import { JudgedStage } from './judged-stage'

interface ReportItemsProps {
  artefact: Artefact
  split: SplitName
  /** The number behind which the items stand. */
  view: ItemsView
  item: string
  onItem: (item: string) => void
  onClose: () => void
}

/** The items behind a number of a report, one after the other. */
export function ReportItems({ artefact, split, view, ...viewer }: ReportItemsProps) {
  const { t } = useTranslation('models')
  const found = useReportItems(artefact.id, split, view)
  const { data, hasNextPage, fetchNextPage } = found
  const [isShown, { toggle }] = useDisclosure()
  const items = useMemo(() => data?.pages.flatMap((page) => page.items), [data])
  return (
    <ItemViewer
      project={artefact.project}
      name={t('name', { number: artefact.number })}
      listed={{
        items,
        total: data?.pages[0]?.num_items ?? 0,
        error: found.error,
        retry: () => void found.refetch(),
        isMoreComing: found.isFetchingNextPage,
        more: hasNextPage && !found.isFetchingNextPage && !found.isFetchNextPageError ? () => void fetchNextPage() : null,
      }}
      onEvidence={toggle}
      {...viewer}
    >
      {(item) => (
        <JudgedStage
          sides={[{ item, artefact: artefact.id, thresholds: thresholdsIn(view, artefact.manifest.thresholds) }]}
          evidence={{ isShown, toggle }}
        />
      )}
    </ItemViewer>
  )
}
