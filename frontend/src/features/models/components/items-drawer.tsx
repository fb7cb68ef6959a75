import { Drawer } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import type { Artefact } from '../api/types'
import type { ItemsView, SplitName } from '../model/items-query'
import { JudgedItems } from './judged-items'

interface ItemsDrawerProps {
  artefact: Artefact
  split: SplitName
  view: ItemsView | null
  columns?: readonly string[] | undefined
  onClose: () => void
}

/** The pictures behind a number of the report. */
export function ItemsDrawer({ artefact, split, view, columns, onClose }: ItemsDrawerProps) {
  const { t } = useTranslation('models')
  return (
    <Drawer opened={view !== null} onClose={onClose} position="right" size="lg" title={view ? titleOf(view, t) : ''}>
      {view && <JudgedItems artefact={artefact} split={split} view={view} columns={columns} />}
    </Drawer>
  )
}

function titleOf(view: ItemsView, t: TFunction<'models'>): string {
  if (view.kind === 'label') return t('items.label', { label: view.label })
  if (view.kind === 'errors') return t('report.worst')
  return view.truth === view.answer ? t('items.right', { truth: view.truth }) : t('items.cell', { truth: view.truth, answer: view.answer })
}
