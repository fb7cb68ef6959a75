import { ActionIcon, Group, Kbd, Paper, SegmentedControl, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowsMove, IconKeyboard, IconLasso, IconMaximize, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { useScheme } from '../../../charts/palette/use-scheme'
import type { MapData } from '../api/get-map'
import type { Coloring } from '../model/coloring'
import { pointsOf } from '../model/points'
import { useActionOf, useKeyHints, useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { ShortcutsDialog } from '../../../ui/shortcuts/shortcuts-dialog'
import { HoverCard } from './hover-card'
import classes from './map.module.css'
import type { Tool } from '../model/view'
import { useMapView } from './use-map-view'

interface MapStageProps {
  data: MapData
  coloring: Coloring
  isHidden: readonly boolean[]
  selected: ReadonlySet<number>
  active: number
  onActive: (index: number) => void
  onOpen: (index: number) => void
  onSelect: (indices: readonly number[], adds: boolean) => void
}

const ZOOM = 1.5
const INK = { light: { ink: '#1a1d21', ground: '#ffffff' }, dark: { ink: '#f1f3f5', ground: '#101216' } }

/** The map itself with its tools. */
export function MapStage({ data, coloring, isHidden, selected, active, onActive, onOpen, onSelect }: MapStageProps) {
  const { t } = useTranslation('map')
  const scheme = useScheme()
  const { hasThumbnails } = useItemKind()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [tool, setTool] = useState<Tool>('move')
  const [hover, setHover] = useState({ index: -1, px: 0, py: 0 })
  const points = useMemo(() => pointsOf({ items: data.items, x: data.x, y: data.y }), [data.items, data.x, data.y])
  const colors = useMemo(() => coloring.legend.map((entry) => entry.color), [coloring])
  const view = useMapView(
    canvas,
    { items: data.items, points, classes: coloring.classes, colors, isHidden, selected, active, tool, hasThumbnails, ...INK[scheme] },
    { onHover: (index, px, py) => setHover({ index, px, py }), onActive, onOpen, onSelect, actionOf: useActionOf('map') },
  )
  const [isHelpOpen, help] = useDisclosure()
  useShortcuts('map', {
    lasso: () => setTool('lasso'),
    move: () => setTool('move'),
    zoom_in: () => view.current?.zoomBy(ZOOM),
    zoom_out: () => view.current?.zoomBy(1 / ZOOM),
    fit: () => view.current?.fitAll(),
    select_in_sight: () => view.current?.selectInSight(),
    help: help.open,
  })
  const hint = useKeyHints('map')
  return (
    <div className={classes.stage}>
      <canvas
        ref={canvas}
        className={classes.canvas}
        data-tool={tool}
        tabIndex={0}
        role="application"
        aria-label={t('canvas_label', { count: data.items.length })}
        aria-describedby="map-keys"
      />
      <VisuallyHidden id="map-keys">{t('keys')}</VisuallyHidden>
      <Paper className={classes.tools} shadow="xs" p={4} radius="md">
        <Group gap={4}>
          <SegmentedControl
            size="xs"
            value={tool}
            onChange={(value) => setTool(value as Tool)}
            data={[
              { value: 'move', label: <ToolLabel icon={<IconArrowsMove size={16} />} name={t('tool.move')} /> },
              { value: 'lasso', label: <ToolLabel icon={<IconLasso size={16} />} name={t('tool.lasso')} /> },
            ]}
          />
          <ToolButton name={t('tool.in')} icon={<IconZoomIn size={17} />} onClick={() => view.current?.zoomBy(ZOOM)} />
          <ToolButton name={t('tool.out')} icon={<IconZoomOut size={17} />} onClick={() => view.current?.zoomBy(1 / ZOOM)} />
          <ToolButton name={t('tool.fit')} icon={<IconMaximize size={17} />} onClick={() => view.current?.fitAll()} />
          <ToolButton name={t('shortcuts.help')} icon={<IconKeyboard size={17} />} onClick={help.open} />
        </Group>
      </Paper>
      <Text className={classes.hint} size="xs" c="dimmed" visibleFrom="sm" aria-hidden>
        <Kbd size="xs">Shift</Kbd> {t('hint.lasso')} · <Kbd size="xs">← ↑ → ↓</Kbd> {t('hint.walk')} ·{' '}
        <Kbd size="xs">{hint('similar')}</Kbd> {t('hint.open')}
      </Text>
      <ShortcutsDialog opened={isHelpOpen} onClose={help.close} scope="map" />
      {hover.index >= 0 && <HoverCard data={data} index={hover.index} px={hover.px} py={hover.py} />}
    </div>
  )
}

function ToolLabel({ icon, name }: { icon: React.ReactNode; name: string }) {
  return (
    <Group gap={5} wrap="nowrap">
      {icon}
      <span>{name}</span>
    </Group>
  )
}

function ToolButton({ name, icon, onClick }: { name: string; icon: React.ReactNode; onClick: () => void }) {
  return (
    <Tooltip label={name}>
      <ActionIcon variant="subtle" color="gray" aria-label={name} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
