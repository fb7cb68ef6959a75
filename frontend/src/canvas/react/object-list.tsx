import { ActionIcon, Button, Group, Menu, Text, Tooltip } from '@mantine/core'
import { IconCopy, IconDots, IconEye, IconEyeOff, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { ACTIONS } from '../actions'
import type { Editor } from '../editor'
import type { CanvasObject } from '../object'
import { NO_LABEL_COLOR } from '../view/paint'
import classes from './canvas.module.css'
import type { CanvasLabel } from '../label'
import { LabelSwatch } from './label-swatch'
import { useSignal } from './use-signal'

const ROW_PX = 30
const STILL = { shift: false, alt: false }

/** All objects, the topmost first; only the rows in sight are made. */
export function ObjectList({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const scroller = useRef<HTMLDivElement>(null)
  useSignal(editor.changed, editor.selection.changed, editor.appearance.changed, editor.labelsChanged)
  const objects = editor.fromBelow().toReversed()
  // eslint-disable-next-line react-hooks/incompatible-library -- the list is drawn again with every change of the editor
  const rows = useVirtualizer({ count: objects.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX, overscan: 8 })
  const only = editor.selection.only
  const place = objects.findIndex(({ id }) => id === only)
  useEffect(() => {
    if (place >= 0) rows.scrollToIndex(place)
  }, [only, place, rows])
  return (
    <section className={classes.objects} aria-label={t('objects.title')}>
      <ListHeader editor={editor} />
      {objects.length === 0 && (
        <Text size="xs" c="dimmed" px="xs">
          {t('objects.empty')}
        </Text>
      )}
      <div ref={scroller} className={classes.scroller}>
        <div role="list" aria-label={t('objects.list')} style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const object = objects[index]
            if (!object) return null
            const place = { position: 'absolute', top: start, left: 0, right: 0, height: ROW_PX } as const
            return (
              <div key={object.id} role="listitem" style={place} aria-setsize={objects.length} aria-posinset={index + 1}>
                <ObjectRow
                  editor={editor}
                  object={object}
                  label={editor.labelNamed(object.label)}
                  isChosen={editor.selection.has(object.id)}
                  isHidden={editor.appearance.isHidden(object.id)}
                  isLocked={editor.appearance.isLocked(object.id)}
                />
              </div>
            )
          })}
        </div>
      </div>
    </section>
  )
}

function ListHeader({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const { size } = editor.selection
  const run = (name: string) => () => ACTIONS[name]?.(editor, STILL)
  const more = ['front', 'up', 'down', 'back', 'simplify', 'fill_holes', 'split', 'join', 'to_mask', 'to_polygon']
  return (
    <Group gap={2} px="xs" pb={4} justify="space-between" wrap="nowrap" mih={28}>
      <Text size="xs" fw={600} c="dimmed" truncate>
        {size > 0 ? t('objects.chosen', { count: size }) : t('objects.count', { count: editor.document.size })}
      </Text>
      {size > 0 && !editor.isReadOnly && (
        <Group gap={0} wrap="nowrap">
          <SmallButton word={t('objects.duplicate')} icon={<IconCopy size={15} stroke={1.7} />} onClick={run('duplicate')} />
          <SmallButton word={t('objects.remove')} icon={<IconTrash size={15} stroke={1.7} />} onClick={run('delete')} />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size="sm" aria-label={t('objects.more')}>
                <IconDots size={15} stroke={1.7} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {more.map((name) => (
                <Menu.Item key={name} onClick={run(name)}>
                  {t(`objects.${name}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
      {size === 0 && editor.appearance.numHidden > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={() => editor.appearance.showAll()}>
          {t('objects.show_all')}
        </Button>
      )}
    </Group>
  )
}

interface ObjectRowProps {
  editor: Editor
  object: CanvasObject
  label: CanvasLabel | undefined
  isChosen: boolean
  isHidden: boolean
  isLocked: boolean
}

const ObjectRow = memo(function ObjectRow({ editor, object, label, isChosen, isHidden, isLocked }: ObjectRowProps) {
  const { t } = useTranslation('canvas')
  const kind = object.kind === 'keypoints' && object.points.length === 1 ? 'point' : object.kind
  const title = label?.title ?? object.label
  const name = `${title} (${t(`objects.kind.${kind}`)})`
  const { id } = object
  return (
    <div className={classes.row} data-chosen={isChosen || undefined} data-hidden={isHidden || undefined}>
      <button
        type="button"
        className={classes.rowButton}
        aria-pressed={isChosen}
        aria-label={name}
        onClick={(event) => (event.shiftKey || event.metaKey || event.ctrlKey ? editor.selection.toggle(id) : editor.selection.set([id]))}
      >
        <LabelSwatch color={label?.color ?? NO_LABEL_COLOR} isHatched={label?.isHatched} />
        <Text size="sm" truncate className={classes.rowTitle}>
          {title}
        </Text>
        <Text size="xs" c="dimmed" truncate className={classes.rowKind}>
          {t(`objects.kind.${kind}`)}
        </Text>
        {object.kind === 'box' && (
          <Text size="xs" c="dimmed" ml="auto" className={classes.rowSize}>
            {Math.round(object.width)} × {Math.round(object.height)}
          </Text>
        )}
      </button>
      <SmallButton
        word={t(isLocked ? 'objects.unlock' : 'objects.lock', { name })}
        icon={isLocked ? <IconLock size={15} stroke={1.7} /> : <IconLockOpen size={15} stroke={1.7} />}
        isQuiet={!isLocked}
        onClick={() => editor.appearance.lock([id], !isLocked)}
      />
      <SmallButton
        word={t(isHidden ? 'objects.show' : 'objects.hide', { name })}
        icon={isHidden ? <IconEyeOff size={15} stroke={1.7} /> : <IconEye size={15} stroke={1.7} />}
        isQuiet={!isHidden}
        onClick={() => editor.appearance.hide([id], !isHidden)}
      />
    </div>
  )
})

interface SmallButtonProps {
  word: string
  icon: React.ReactNode
  /** Shown on hover and focus only. */
  isQuiet?: boolean
  onClick: () => void
}

function SmallButton({ word, icon, isQuiet = false, onClick }: SmallButtonProps) {
  return (
    <Tooltip label={word}>
      <ActionIcon size="sm" aria-label={word} className={isQuiet ? classes.quiet : undefined} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
