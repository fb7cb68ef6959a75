import { Switch, Text } from '@mantine/core'
import { IconMinus, IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useNothingWord } from '../../../answers/nothing-word'
import { ReadGrid } from '../../../ui/grid/read-grid'
import { type ReadCell, ReadLine } from '../../../ui/grid/read-line'
import { CellText } from '../../../ui/cell-text'
import { LoadingState } from '../../../ui/loading-state'
import type { useDiffItems } from '../api/diff'
import { useStateColumns } from '../api/state-columns'
import type { DiffItem } from '../api/types'
import { cellChange, changedColumns, columnsOfBoth, annotationsText } from '../model/row-changes'
import classes from './diff-rows.module.css'

const ICONS = { added: IconPlus, removed: IconMinus, changed: IconPencil } as const
const ROW_PX = 52
const FRONT_PX = 230
/** Tables with more columns show at first only those that changed. */
const COLUMNS_SHOWN = 10

interface DiffRowsProps {
  before: string
  after: string
  items: ReturnType<typeof useDiffItems>
}

/** Rows that differ, as a table; a cell that changed shows what it held above what it holds. */
export function DiffRows({ before, after, items }: DiffRowsProps) {
  const { t } = useTranslation('versions')
  const [then, now] = [useStateColumns(before), useStateColumns(after)]
  const [chosen, setChosen] = useState<boolean | null>(null)
  const rows = items.data?.pages.flatMap((page) => page.items) ?? []
  if (!then || !now) return <LoadingState rows={2} height={100} />
  const all = columnsOfBoth(then, now)
  const changed = changedColumns(all, rows)
  const isOnlyChanged = (chosen ?? all.length > COLUMNS_SHOWN) && changed.length > 0
  return (
    <>
      <Switch
        size="xs"
        mb="sm"
        label={t('diff.only_changed', { count: changed.length, total: all.length })}
        checked={isOnlyChanged}
        disabled={changed.length === 0}
        onChange={(event) => setChosen(event.currentTarget.checked)}
      />
      <ReadGrid
        label={t('gallery')}
        target={(now.find(({ role }) => role === 'target') ?? then.find(({ role }) => role === 'target'))?.name ?? null}
        columns={isOnlyChanged ? changed : all}
        rows={rows}
        query={items}
        row_px={ROW_PX}
        target_px={FRONT_PX}
        line={(item, grid, place, top_px) => (
          <ReadLine
            key={item.item}
            grid={grid}
            place={place}
            top_px={top_px}
            name={`${item.name}, ${t(`diff.kind.${item.kind}`)}`}
            mark={item.kind}
            front={<Front item={item} />}
            cell={({ name }) => shownCell(item, name)}
          />
        )}
      />
    </>
  )
}

function shownCell(item: DiffItem, column: string): ReadCell {
  const { before, after, isChanged } = cellChange(item, column)
  if (isChanged) return { content: <Both before={before} after={after} />, title: `${before} → ${after}`, mark: 'changed' }
  const content = <CellText cell={after} />
  return { content: item.kind === 'removed' ? <del className={classes.gone}>{content}</del> : content, title: after || undefined }
}

/** What was above what is. */
function Both({ before, after }: { before: string; after: string }) {
  return (
    <span className={classes.both}>
      <del>
        <CellText cell={before} />
      </del>
      <ins>
        <CellText cell={after} />
      </ins>
    </span>
  )
}

/** How a row changed: its annotation before and after, and its other differences. */
function Front({ item }: { item: DiffItem }) {
  const { t } = useTranslation('versions')
  const nothing = useNothingWord()
  const Icon = ICONS[item.kind]
  const [was, is] = [annotationsText(item.before), annotationsText(item.after)]
  const isReannotated = item.aspects.includes('annotations') && was !== is
  const notes = [
    item.aspects.includes('split') &&
      t('diff.moved', { before: t(`charts:split.${item.split_before}`), after: t(`charts:split.${item.split_after}`) }),
    item.aspects.every((aspect) => aspect === 'provenance' || aspect === 'group') &&
      item.kind === 'changed' &&
      t(item.aspects.includes('provenance') ? 'diff.annotated_by_another' : 'diff.regrouped'),
  ].filter(Boolean)
  const below = notes.length ? notes.join(', ') : item.name
  return (
    <>
      <Icon size={16} stroke={2.2} className={classes.icon} data-kind={item.kind} role="img" aria-label={t(`diff.kind.${item.kind}`)} />
      <div className={classes.front}>
        {isReannotated ? (
          <span className={classes.annotations} data-mark="changed" title={`${was} → ${is}`}>
            <del>{was || nothing}</del> → <ins>{is || nothing}</ins>
          </span>
        ) : (
          <span className={classes.annotations}>{(item.after === null ? was : is) || nothing}</span>
        )}
        <Text size="xs" c="dimmed" truncate title={[item.name, ...notes].join(', ')}>
          {below}
        </Text>
      </div>
    </>
  )
}
