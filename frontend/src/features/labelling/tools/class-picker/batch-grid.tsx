import { Checkbox, ScrollArea, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { formatPercent } from '../../../../lib/format'
import { ItemThumb } from '../../../../items/item-thumb'
import type { Suggested } from '../../model/batch'
import classes from './batch-grid.module.css'

interface BatchGridProps {
  items: readonly Suggested[]
  left: ReadonlySet<string>
  onToggle: (id: string) => void
}

const STEPS: Record<string, (columns: number) => number> = {
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: (columns) => columns,
  ArrowUp: (columns) => -columns,
}

/** Pictures to look over. Arrows move, Space unticks one. */
export function BatchGrid({ items, left, onToggle }: BatchGridProps) {
  const { t } = useTranslation('labelling')
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const grid = event.currentTarget
    const cells = [...grid.querySelectorAll<HTMLElement>('[role=checkbox]')]
    const at = cells.indexOf(document.activeElement as HTMLElement)
    const step = STEPS[event.key]
    if (step) {
      const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length
      cells[Math.min(cells.length - 1, Math.max(0, at + step(columns)))]?.focus()
    } else if (event.key === ' ' && at >= 0) onToggle(items[at]?.item.id ?? '')
    else return
    event.preventDefault()
  }
  return (
    <ScrollArea.Autosize mah="min(66dvh, 720px)" type="auto" offsetScrollbars="present">
      <div className={classes.grid} role="group" aria-label={t('batch.grid')} onKeyDown={press}>
        {items.map(({ item, confidence }, index) => (
          <div
            key={item.id}
            role="checkbox"
            aria-checked={!left.has(item.id)}
            aria-label={`${item.name}, ${formatPercent(confidence)}`}
            tabIndex={index === 0 ? 0 : -1}
            className={classes.cell}
            onClick={() => onToggle(item.id)}
          >
            <ItemThumb item={item} alt="" />
            <Checkbox size="xs" className={classes.tick} checked={!left.has(item.id)} readOnly tabIndex={-1} aria-hidden />
            <Text size="xs" c="dimmed" ta="right">
              {formatPercent(confidence)}
            </Text>
          </div>
        ))}
      </div>
    </ScrollArea.Autosize>
  )
}
