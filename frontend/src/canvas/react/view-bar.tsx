import { ActionIcon, Button, Divider, Group, Popover, Slider, Stack, Switch, Text, Tooltip } from '@mantine/core'
import {
  IconAdjustments,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconKeyboard,
  IconMaximize,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'

import { useKeyHints } from '../../lib/shortcuts/use-shortcuts'
import { ACTIONS } from '../actions'
import type { Editor } from '../editor'
import classes from './canvas.module.css'
import { useSignal } from './use-signal'

interface ViewBarProps {
  editor: Editor
  onHelp: () => void
}

/** Undo, zoom, how things are shown, keys. */
export function ViewBar({ editor, onHelp }: ViewBarProps) {
  const { t } = useTranslation('canvas')
  useSignal(editor.changed, editor.viewport.changed)
  const percent = Math.round(editor.viewport.camera.zoom * 100)
  return (
    <Group gap={2} className={classes.viewBar} wrap="nowrap">
      <BarButton editor={editor} name="undo" icon={IconArrowBackUp} isOff={!editor.history.canUndo} />
      <BarButton editor={editor} name="redo" icon={IconArrowForwardUp} isOff={!editor.history.canRedo} />
      <Divider orientation="vertical" mx={4} />
      <BarButton editor={editor} name="zoom_out" icon={IconZoomOut} />
      <Tooltip label={t('bar.actual_size')}>
        <Button
          className={classes.percent}
          variant="subtle"
          color="gray"
          w={62}
          px={0}
          size="compact-xs"
          aria-label={`${t('bar.zoom', { percent })}: ${t('bar.actual_size')}`}
          onClick={() => editor.viewport.actualSize()}
        >
          {percent} %
        </Button>
      </Tooltip>
      <BarButton editor={editor} name="zoom_in" icon={IconZoomIn} />
      <BarButton editor={editor} name="fit" icon={IconMaximize} />
      <Divider orientation="vertical" mx={4} />
      <LookMenu editor={editor} />
      <Tooltip label={t('bar.keys')}>
        <ActionIcon className={classes.keys} aria-label={t('bar.keys')} onClick={onHelp}>
          <IconKeyboard size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}

interface BarButtonProps {
  editor: Editor
  name: 'undo' | 'redo' | 'zoom_in' | 'zoom_out' | 'fit'
  icon: ComponentType<{ size?: number; stroke?: number }>
  isOff?: boolean
}

function BarButton({ editor, name, icon: Icon, isOff = false }: BarButtonProps) {
  const { t } = useTranslation('canvas')
  const hint = useKeyHints('canvas')(name)
  return (
    <Tooltip label={hint ? `${t(`bar.${name}`)} (${hint})` : t(`bar.${name}`)}>
      <ActionIcon aria-label={t(`bar.${name}`)} disabled={isOff} onClick={() => ACTIONS[name]?.(editor, { shift: false, alt: false })}>
        <Icon size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  )
}

const SLIDERS = [
  { name: 'brightness', min: 0.2, max: 3 },
  { name: 'contrast', min: 0.2, max: 3 },
] as const

function LookMenu({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const { appearance } = editor
  useSignal(appearance.changed)
  return (
    <Popover width={260} position="bottom-end" trapFocus>
      <Popover.Target>
        <Tooltip label={t('bar.look')}>
          <ActionIcon aria-label={t('bar.look')}>
            <IconAdjustments size={18} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {SLIDERS.map(({ name, min, max }) => (
            <Labelled key={name} word={t(`bar.${name}`)}>
              <Slider
                size="sm"
                min={min}
                max={max}
                step={0.05}
                value={appearance.look[name]}
                thumbLabel={t(`bar.${name}`)}
                label={(value) => `${Math.round(value * 100)} %`}
                onChange={(value) => appearance.set({ look: { ...appearance.look, [name]: value } })}
              />
            </Labelled>
          ))}
          <Labelled word={t('bar.fill')}>
            <Slider
              size="sm"
              min={0}
              max={0.6}
              step={0.02}
              value={appearance.fillFraction}
              thumbLabel={t('bar.fill')}
              label={(value) => `${Math.round(value * 100)} %`}
              onChange={(fillFraction) => appearance.set({ fillFraction })}
            />
          </Labelled>
          <Switch
            size="xs"
            label={t('bar.crosshair')}
            checked={appearance.hasCrosshair}
            onChange={(event) => appearance.set({ hasCrosshair: event.currentTarget.checked })}
          />
          <Switch
            size="xs"
            label={t('bar.names')}
            checked={appearance.hasNames}
            onChange={(event) => appearance.set({ hasNames: event.currentTarget.checked })}
          />
          <Button variant="default" onClick={() => appearance.set({ look: { brightness: 1, contrast: 1 }, fillFraction: 0.18 })}>
            {t('bar.reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function Labelled({ word, children }: { word: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {word}
      </Text>
      {children}
    </div>
  )
}
