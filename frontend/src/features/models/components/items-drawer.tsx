import { Drawer } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import type { Artefact, Slice } from '../api/types'
import type { ItemsView, SplitName } from '../model/items-query'
import { JudgedItems } from './judged-items'
import { useSliceWords } from './use-slice-words'

interface ItemsDrawerProps {
  artefact: Artefact
  split: SplitName
  view: Exclude<ItemsView, { kind: 'one' }> | null
  columns?: readonly string[] | undefined
  /** Of the split. */
  slices: readonly Slice[]
  /** An item of it lies over the drawer. */
  isCovered: boolean
  onItem: (item: string) => void
  onClose: () => void
}

/** The items behind a number of the report. */
export function ItemsDrawer({ artefact, split, view, columns, slices, isCovered, onItem, onClose }: ItemsDrawerProps) {
  const { t } = useTranslation('report')
  const { titleOf: sliceTitle } = useSliceWords()
  const title = () => {
    if (view?.kind !== 'slice') return view ? titleOf(view, t) : ''
    const slice = slices[view.place]
    return slice ? sliceTitle(slice) : ''
  }
  return (
    <Drawer
      opened={view !== null}
      onClose={onClose}
      closeOnEscape={!isCovered}
      trapFocus={!isCovered}
      position="right"
      size="lg"
      title={title()}
    >
      {view && <JudgedItems artefact={artefact} split={split} view={view} columns={columns} onItem={onItem} />}
    </Drawer>
  )
}

function titleOf(view: Exclude<ItemsView, { kind: 'one' | 'slice' }>, t: TFunction<'models'>): string {
  if (view.kind === 'label') return t('items.label', { label: view.label })
  if (view.kind === 'outcome') return t(`threshold.items.${view.outcome}`, { label: view.label, value: formatFraction(view.threshold) })
  if (view.kind === 'unsure') return t(`coverage.items.${view.outcome}`, { rate: formatFraction(view.errorRate, 0) })
  if (view.kind === 'errors') return t('worst')
  if (view.answer === null) return t('items.missed', { truth: view.truth })
  if (view.truth === null) return t('items.made_up', { answer: view.answer })
  return view.truth === view.answer ? t('items.right', { truth: view.truth }) : t('items.cell', { truth: view.truth, answer: view.answer })
}
