import { Button, Group, Loader, Menu, Slider, Text, Tooltip } from '@mantine/core'
import {
  IconArrowsJoin,
  IconArrowsSplit,
  IconBucketDroplet,
  IconChevronDown,
  IconColorPicker,
  IconLayersIntersect,
  IconLayersSubtract,
  IconLayersUnion,
  IconRipple,
  IconStack2,
} from '@tabler/icons-react'
import type { ComponentType, MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useKeyHints } from '../../lib/shortcuts/use-shortcuts'
import { KeyHint } from '../../ui/key-hint'
import { ACTIONS, brushOfShare, brushShare, setBrush, setSuperpixel, setTolerance, superpixelOfShare, superpixelShare } from '../actions'
import type { Editor } from '../editor'
import { LARGEST_TOLERANCE, type OverlapRule } from '../paint-settings'
import { hasBrush } from '../shape'
import { AssistBar } from './assist-bar'
import type { Superpixels } from '../superpixels/superpixels'
import classes from './canvas.module.css'
import { useSignal } from './use-signal'

const STILL = { shift: false, alt: false }

/** Keeps the focus where it is, so that keys go on painting. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

const RULE_ICONS: Record<OverlapRule, ComponentType<{ size?: number }>> = {
  over: IconLayersSubtract,
  keep: IconLayersIntersect,
  both: IconLayersUnion,
  order: IconStack2,
}

const MASK_ACTIONS: readonly [action: string, icon: ComponentType<{ size?: number }>][] = [
  ['simplify', IconRipple],
  ['fill_holes', IconBucketDroplet],
  ['split', IconArrowsSplit],
  ['join', IconArrowsJoin],
]

/** How the tool at hand paints; with the arrow at hand, what can be done to the chosen masks. */
export function OptionsBar({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const { paint, tool } = editor
  useSignal(editor.toolChanged, editor.selection.changed, editor.changed, paint.changed)
  const isBrush = hasBrush(tool)
  const hasTolerance = tool.hasTolerance || (isBrush && paint.isSmart && editor.colors)
  return (
    <Group className={classes.options} gap="sm" wrap="nowrap" role="group" aria-label={t('options.title')}>
      {tool.needs === 'superpixels' && editor.superpixels && <SuperpixelSize editor={editor} superpixels={editor.superpixels} />}
      {tool.needs && <AssistBar editor={editor} />}
      {isBrush && <BrushSize editor={editor} />}
      {isBrush && editor.colors && <SmartSwitch editor={editor} />}
      {hasTolerance && <Tolerance editor={editor} />}
      {tool.makes === 'mask' && paint.rules.length > 0 && <Overlap editor={editor} />}
      {!tool.makes && !editor.isReadOnly && <MaskActions editor={editor} />}
    </Group>
  )
}

interface SizeProps {
  /** Of the slider, for who does not see it. */
  label: string
  /** In pixels of the picture. */
  size: number
  /** The size's place on the slider, 0..1. */
  share: number
  onChange: (share: number) => void
}

/** How large what a tool paints with is; the same keys change it. */
function Size({ label, size, share, onChange }: SizeProps) {
  const { t } = useTranslation('canvas')
  return (
    <Labelled word={t('options.size')} amount={`${Math.round(size)} px`} hint={['brush_smaller', 'brush_larger']}>
      <Slider
        className={classes.slider}
        size="sm"
        min={0}
        max={1}
        step={0.01}
        value={share}
        thumbLabel={label}
        label={null}
        onChange={onChange}
      />
    </Labelled>
  )
}

function BrushSize({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const change = (share: number) => setBrush(editor, brushOfShare(share))
  return <Size label={t('brush_size')} size={editor.brushRadius * 2} share={brushShare(editor.brushRadius)} onChange={change} />
}

/** The size of superpixels, and whether they are being computed. */
function SuperpixelSize({ editor, superpixels }: { editor: Editor; superpixels: Superpixels }) {
  const { t } = useTranslation('canvas')
  useSignal(superpixels.changed)
  const { width, height } = editor.viewport.picture
  const { superpixel } = editor.paint
  return (
    <>
      <Size
        label={t('superpixels.size')}
        size={superpixel * Math.max(width, height)}
        share={superpixelShare(superpixel)}
        onChange={(share) => setSuperpixel(editor, superpixelOfShare(share))}
      />
      {superpixels.state === 'computing' && <Loader size={14} role="status" aria-label={t('superpixels.computing')} />}
      {superpixels.state === 'failed' && (
        <Group gap="xs" wrap="nowrap" role="alert" flex="none">
          <Text size="xs" c="red">
            {t('superpixels.failed')}
          </Text>
          <Button size="compact-xs" variant="default" onClick={() => superpixels.prepare(superpixel)}>
            {t('assist.retry')}
          </Button>
        </Group>
      )}
    </>
  )
}

function Tolerance({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  return (
    <Labelled word={t('options.tolerance')} amount={String(editor.paint.tolerance)} hint={['tolerance_smaller', 'tolerance_larger']}>
      <Slider
        className={classes.slider}
        size="sm"
        min={0}
        max={LARGEST_TOLERANCE}
        value={editor.paint.tolerance}
        thumbLabel={t('options.tolerance')}
        label={null}
        onChange={(tolerance) => setTolerance(editor, tolerance)}
      />
    </Labelled>
  )
}

function SmartSwitch({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const { paint } = editor
  return (
    <Tooltip multiline maw={260} label={<WithKey word={t('options.smart_about')} action="smart" />}>
      <Button
        size="compact-xs"
        flex="none"
        variant={paint.isSmart ? 'filled' : 'default'}
        aria-pressed={paint.isSmart}
        leftSection={<IconColorPicker size={14} />}
        onMouseDown={keepFocus}
        onClick={() => paint.set({ isSmart: !paint.isSmart })}
      >
        {t('options.smart')}
      </Button>
    </Tooltip>
  )
}

/** What happens where the paint meets another object. */
function Overlap({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const { paint } = editor
  const Icon = RULE_ICONS[paint.overlap]
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Tooltip multiline maw={260} label={<WithKey word={t('options.overlap_about')} action="overlap" />}>
          <Button
            size="compact-xs"
            flex="none"
            variant="default"
            leftSection={<Icon size={14} />}
            rightSection={<IconChevronDown size={12} />}
            aria-label={`${t('options.overlap')}: ${t(`options.rules.${paint.overlap}`)}`}
          >
            {t(`options.rules.${paint.overlap}`)}
          </Button>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {paint.rules.map((rule) => {
          const Rule = RULE_ICONS[rule]
          return (
            <Menu.Item key={rule} leftSection={<Rule size={16} />} onClick={() => paint.set({ overlap: rule })}>
              <Text size="sm" fw={rule === paint.overlap ? 600 : 400}>
                {t(`options.rules.${rule}`)}
              </Text>
              <Text size="xs" c="dimmed">
                {t(`options.rules_about.${rule}`)}
              </Text>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

function MaskActions({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const objects = [...editor.selection.ids].flatMap((id) => editor.document.get(id) ?? [])
  const hasMask = objects.some(({ kind }) => kind === 'mask')
  const numAreas = objects.filter(({ kind }) => kind === 'mask' || kind === 'polygon').length
  const isOff = (action: string) => (action === 'join' ? numAreas < 2 : !hasMask)
  return (
    <>
      {MASK_ACTIONS.map(([action, Icon]) => (
        <Tooltip key={action} multiline maw={260} label={<WithKey word={t(`options.${action}_about`)} action={action} />}>
          <Button
            size="compact-xs"
            flex="none"
            variant="default"
            disabled={isOff(action)}
            leftSection={<Icon size={14} />}
            onMouseDown={keepFocus}
            onClick={() => ACTIONS[action]?.(editor, STILL)}
          >
            {t(`options.${action}`)}
          </Button>
        </Tooltip>
      ))}
    </>
  )
}

interface LabelledProps {
  word: string
  amount: string
  /** Actions whose keys make it smaller and larger. */
  hint: readonly [string, string]
  children: ReactNode
}

function Labelled({ word, amount, hint, children }: LabelledProps) {
  const hintOf = useKeyHints('canvas')
  const keys = hint.flatMap((action) => hintOf(action) ?? [])
  return (
    <Tooltip
      label={
        <Text size="xs" span>
          {word}{' '}
          {keys.map((key) => (
            <KeyHint key={key}>{key}</KeyHint>
          ))}
        </Text>
      }
    >
      <Group gap={8} wrap="nowrap" flex="none">
        <Text size="xs" c="dimmed" className={classes.word} aria-hidden>
          {word}
        </Text>
        {children}
        <Text size="xs" className={classes.amount}>
          {amount}
        </Text>
      </Group>
    </Tooltip>
  )
}

function WithKey({ word, action }: { word: string; action: string }) {
  const hint = useKeyHints('canvas')(action)
  return (
    <Text size="xs" span>
      {word} {hint && <KeyHint>{hint}</KeyHint>}
    </Text>
  )
}
