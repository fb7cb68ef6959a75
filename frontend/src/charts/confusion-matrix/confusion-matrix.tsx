import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../format/format'
import { useScheme } from '../palette/use-scheme'
import classes from './confusion-matrix.module.css'
import { cellAt, matrixLayout, movedCell, rowShares, topConfusions, type Cell } from './matrix'
import { paintMatrix, widestName } from './paint'

interface ConfusionMatrixProps {
  labels: readonly string[]
  /** Counts; rows are truth, columns are answers. One more row counts what was predicted where nothing is, one more column what was missed. */
  confusion: readonly (readonly number[])[]
  /** A cell with items was clicked, or chosen with Enter. */
  onSelect: (cell: Cell) => void
}

/** The matrix with the most frequent mistakes beside it. The list is also the way in for those who do not see the canvas. */
export function ConfusionMatrix({ labels: known, confusion, onSelect }: ConfusionMatrixProps) {
  const { t } = useTranslation('charts')
  const background = confusion.length > known.length ? known.length : null
  const labels = background === null ? known : [...known, t('confusion.background')]
  const { ref, width } = useElementSize()
  const [cursor, setCursor] = useState<Cell | null>(null)
  const shares = useMemo(() => rowShares(confusion), [confusion])
  const names = labels.join('\n')
  const widest_px = useMemo(() => widestName(names.split('\n')), [names])
  const layout = matrixLayout(labels.length, Math.min(width || 320, 760), widest_px)

  const name = (index: number) => labels[index] ?? ''
  const count = cursor ? (confusion[cursor.truth]?.[cursor.answer] ?? 0) : 0
  const select = (cell: Cell) => {
    if (confusion[cell.truth]?.[cell.answer]) onSelect(cell)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = cursor ?? { truth: 0, answer: 0 }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      select(at)
      return
    }
    const moved = movedCell(at, event.key, labels.length)
    if (!moved) return
    event.preventDefault()
    setCursor(cursor ? moved : at)
  }
  const cellOf = (event: PointerEvent | React.MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect()
    return cellAt(layout, labels.length, event.clientX - box.left, event.clientY - box.top)
  }
  const onPointerMove = (event: PointerEvent) => {
    const cell = cellOf(event)
    if (cell?.truth !== cursor?.truth || cell?.answer !== cursor?.answer) setCursor(cell)
  }

  return (
    <div className={classes.root}>
      <div ref={ref} className={classes.drawing}>
        <Text size="xs" c="dimmed" mb={4}>
          {t(background === null ? 'confusion.axes' : 'confusion.axes_objects')}
        </Text>
        <MatrixCanvas
          labels={labels}
          confusion={confusion}
          layout={layout}
          cursor={cursor}
          isClickable={count > 0}
          onKeyDown={onKeyDown}
          onPointerMove={onPointerMove}
          onPointerLeave={() => setCursor(null)}
          onClick={(event) => {
            const cell = cellOf(event)
            if (cell) select(cell)
          }}
        />
        <Text size="xs" mt={6} h={18} aria-live="polite" className={classes.readout}>
          {cursor
            ? t(`confusion.${outcomeOf(cursor, background)}`, {
                truth: name(cursor.truth),
                answer: name(cursor.answer),
                count,
                share: formatFraction(shares[cursor.truth]?.[cursor.answer]),
              })
            : t('confusion.hint')}
        </Text>
      </div>
      <MistakeList labels={labels} background={background} confusion={confusion} onSelect={select} />
    </div>
  )
}

interface MatrixCanvasProps {
  labels: readonly string[]
  confusion: readonly (readonly number[])[]
  layout: ReturnType<typeof matrixLayout>
  cursor: Cell | null
  isClickable: boolean
  onKeyDown: (event: KeyboardEvent) => void
  onPointerMove: (event: PointerEvent) => void
  onPointerLeave: () => void
  onClick: (event: React.MouseEvent) => void
}

function MatrixCanvas({ labels, confusion, layout, cursor, isClickable, ...handlers }: MatrixCanvasProps) {
  const { t } = useTranslation('charts')
  const scheme = useScheme()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) paintMatrix(canvas.current, { labels, confusion, layout, scheme, cursor })
  })
  return (
    <canvas
      ref={canvas}
      className={classes.canvas}
      tabIndex={0}
      role="application"
      aria-label={t('confusion.label', { count: labels.length })}
      style={{ width: layout.size_px, height: layout.size_px, cursor: isClickable ? 'pointer' : 'default' }}
      {...handlers}
    />
  )
}

/** Which sentence tells of a cell; beside labels there may be a background. */
function outcomeOf({ truth, answer }: Cell, background: number | null): 'cell' | 'missed' | 'made_up' | 'nothing' {
  if (truth === background) return answer === background ? 'nothing' : 'made_up'
  return answer === background ? 'missed' : 'cell'
}

interface MistakeListProps {
  labels: readonly string[]
  background: number | null
  confusion: readonly (readonly number[])[]
  onSelect: (cell: Cell) => void
}

function MistakeList({ labels, background, confusion, onSelect }: MistakeListProps) {
  const { t } = useTranslation('charts')
  const mistakes = useMemo(() => topConfusions(confusion, 8), [confusion])
  return (
    <Stack gap={2} className={classes.mistakes}>
      <Text size="sm" fw={600} mb={4}>
        {t('confusion.mistakes')}
      </Text>
      {mistakes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('confusion.none')}
        </Text>
      )}
      {mistakes.map((mistake) => (
        <UnstyledButton key={`${mistake.truth}/${mistake.answer}`} className={classes.mistake} onClick={() => onSelect(mistake)}>
          <Group gap="xs" wrap="nowrap" justify="space-between">
            <Text size="sm" truncate>
              {t('confusion.mistake', { truth: labels[mistake.truth], answer: labels[mistake.answer] })}
            </Text>
            <Text size="sm" c="dimmed" className={classes.number}>
              {mistake.truth === background ? mistake.count : `${mistake.count} · ${formatFraction(mistake.share_fraction, 0)}`}
            </Text>
          </Group>
        </UnstyledButton>
      ))}
    </Stack>
  )
}
