import { ActionIcon, Group, Modal, SegmentedControl, Switch, Text, Tooltip } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconFocus2, IconMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useActionOf, useKeyHints } from '../../../lib/shortcuts/use-shortcuts'
import type { Label } from '../../../lib/api/types'
import type { DiffItem } from '../api/types'
import { type Bounds, boundsOf } from '../../../canvas/annotation-outline'
import { changeGroups, type DrawnShape, shapesOfDiff } from '../model/shape-changes'
import { panned, viewOf, whole, zoomed } from '../model/zoom'
import { ChangeWords } from './change-words'
import classes from './diff-look.module.css'
import { DiffPane } from './diff-pane'

interface DiffLookProps {
  item: DiffItem
  /** Of the project, for the lines between key points. */
  labels: readonly Label[]
  /** Among those that can be looked at here. */
  place: number
  total: number
  onStep: (step: 1 | -1) => void
  onClose: () => void
}

const TYPED_IN = 'input:not([type=checkbox], [type=radio])'
const ZOOM = 1.4
const PAN = 0.15

/** A picture large: both states side by side at the same zoom, or over each other. */
export function DiffLook({ item, labels, place, total, onStep, onClose }: DiffLookProps) {
  const { t } = useTranslation('versions')
  const [isOverlaid, setOverlaid] = useState(false)
  const [hasSame, setSame] = useState(true)
  const picture = { width: item.width_px ?? 1, height: item.height_px ?? 1 }
  const [looked, setLooked] = useState<{ item: string; view: Bounds }>({ item: item.item, view: whole(picture) })
  // Another picture is seen whole first.
  const view = looked.item === item.item ? looked.view : whole(picture)
  const onView = (change: (view: Bounds) => Bounds) =>
    setLooked((before) => ({ item: item.item, view: change(before.item === item.item ? before.view : whole(picture)) }))
  const all = shapesOfDiff(item, labels)
  const shapes = all.filter(({ change }) => hasSame || change !== 'same')
  const pan = (right: number, down: number) => () => onView((before) => panned(before, [right * PAN, down * PAN], picture))
  const actions: Record<string, () => void> = {
    next: () => onStep(1),
    previous: () => onStep(-1),
    zoom_in: () => onView((before) => zoomed(before, ZOOM, picture)),
    zoom_out: () => onView((before) => zoomed(before, 1 / ZOOM, picture)),
    to_changes: () => onView(() => viewOf(all.filter(({ change }) => change !== 'same').map(boundsOf), picture)),
    fit: () => onView(() => whole(picture)),
    pan_left: pan(-1, 0),
    pan_right: pan(1, 0),
    pan_up: pan(0, -1),
    pan_down: pan(0, 1),
    overlay: () => setOverlaid((before) => !before),
    same: () => setSame((before) => !before),
  }
  const press = useKeys(actions)
  return (
    <Modal opened onClose={onClose} size="min(1500px, 96vw)" title={item.name} yOffset="2dvh">
      <div className={classes.body} tabIndex={-1} data-autofocus onKeyDown={press}>
        <Group gap="xs" justify="space-between">
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={t('look.way')}
              value={isOverlaid ? 'overlay' : 'beside'}
              onChange={(value) => setOverlaid(value === 'overlay')}
              data={[
                { value: 'beside', label: t('look.beside') },
                { value: 'overlay', label: t('look.overlay') },
              ]}
            />
            <Switch size="xs" label={t('look.same')} checked={hasSame} onChange={(event) => setSame(event.currentTarget.checked)} />
          </Group>
          <Group gap={4}>
            <Tool id="zoom_out" icon={<IconZoomOut size={16} />} actions={actions} />
            <Tool id="zoom_in" icon={<IconZoomIn size={16} />} actions={actions} />
            <Tool id="to_changes" icon={<IconFocus2 size={16} />} actions={actions} />
            <Tool id="fit" icon={<IconMaximize size={16} />} actions={actions} />
            <Tool id="previous" icon={<IconChevronLeft size={16} />} actions={actions} isOff={place === 0} />
            <Text size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }} aria-live="polite">
              {t('look.place', { number: place + 1, total })}
            </Text>
            <Tool id="next" icon={<IconChevronRight size={16} />} actions={actions} isOff={place === total - 1} />
          </Group>
        </Group>
        <Panes item={item} picture={picture} shapes={shapes} isOverlaid={isOverlaid} view={view} onView={onView} />
        <ChangeWords groups={changeGroups(all)} />
      </div>
    </Modal>
  )
}

interface PanesProps {
  item: DiffItem
  picture: { width: number; height: number }
  shapes: readonly DrawnShape[]
  isOverlaid: boolean
  view: Bounds
  onView: (change: (view: Bounds) => Bounds) => void
}

function Panes({ item, shapes, isOverlaid, ...shared }: PanesProps) {
  const { t } = useTranslation('versions')
  // What is the same is there twice.
  const once = shapes.filter(({ change, side }) => change !== 'same' || side === 'after' || item.after === null)
  return (
    <div className={classes.panes}>
      {isOverlaid ? (
        <DiffPane key={item.item} item={item} title={t('look.both')} shapes={once} isOverlaid {...shared} />
      ) : (
        (['before', 'after'] as const).map((side) =>
          item[side] === null ? (
            <div key={side} className={`${classes.pane} ${classes.empty}`}>
              {t(`look.not_in_${side}`)}
            </div>
          ) : (
            <DiffPane
              key={`${side} ${item.item}`}
              item={item}
              title={t(`diff.${side}`)}
              shapes={shapes.filter((shape) => shape.side === side)}
              {...shared}
            />
          ),
        )
      )}
    </div>
  )
}

interface ToolProps {
  id: string
  icon: ReactNode
  actions: Record<string, () => void>
  isOff?: boolean
}

function Tool({ id, icon, actions, isOff = false }: ToolProps) {
  const { t } = useTranslation('versions')
  const hint = useKeyHints('compare')(id)
  const name = t(`look.keys.${id}`)
  return (
    <Tooltip label={hint ? `${name} (${hint})` : name}>
      <ActionIcon variant="default" aria-label={name} disabled={isOff} onClick={actions[id]}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}

/** Dialogs hear their keys themselves; the keys of a field that has the focus stay with it. */
function useKeys(actions: Record<string, () => void>) {
  const actionOf = useActionOf('compare')
  return (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (target.closest(TYPED_IN) || (target.matches('[type=radio]') && event.key.startsWith('Arrow'))) return
    const action = actionOf(event.nativeEvent)
    if (!action || (event.repeat && !action.repeats)) return
    event.preventDefault()
    actions[action.id]?.()
  }
}
