import { Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useKeyHints } from '../../lib/shortcuts/use-shortcuts'
import { ShortcutsDialog } from '../../ui/shortcuts/shortcuts-dialog'
import type { Editor } from '../editor'
import classes from './canvas.module.css'
import { LabelList } from './label-list'
import { ObjectList } from './object-list'
import { OptionsBar } from './options-bar'
import { Stage } from './stage'
import { Toolbar } from './toolbar'
import { useMaskAssist, usePictureColors, useSuperpixels } from './use-mask-assist'
import { useCanvasKeys } from './use-canvas-keys'
import { useSignal } from './use-signal'
import { ViewBar } from './view-bar'

interface CanvasWorkspaceProps {
  editor: Editor
  image: HTMLImageElement | null
  /** Names of the tools that are offered; all when absent. */
  tools?: readonly string[]
  /** How many items carry each label. */
  counts?: Readonly<Record<string, number>> | undefined
  /** The page's own keys, shown first in the help. */
  scope?: string
  /** Above the labels, and below the objects. */
  head?: ReactNode
  foot?: ReactNode
  /** In place of labels and objects. */
  panel?: ReactNode
}

/** Tools, picture, labels and objects: all that drawing needs. It fills the height that it is given. */
export function CanvasWorkspace({ editor, image, tools, counts, scope = 'canvas', head, foot, panel }: CanvasWorkspaceProps) {
  const middle = useRef<HTMLDivElement>(null)
  const [isHelpOpen, help] = useDisclosure()
  useCanvasKeys(editor, help.open, tools)
  useMaskAssist(editor, !tools || tools.includes('click_mask') ? image : null)
  usePictureColors(editor, image)
  useSuperpixels(editor, !tools || tools.includes('superpixels') ? image : null)
  const focusStage = () => middle.current?.querySelector<HTMLElement>('[role=application]')?.focus()
  return (
    <div className={classes.workspace}>
      <Toolbar editor={editor} {...(tools ? { tools } : {})} onChosen={focusStage} />
      <div className={classes.middle} ref={middle}>
        <Group className={classes.top} justify="space-between" wrap="nowrap" gap="sm">
          <Tip editor={editor} />
          <ViewBar editor={editor} onHelp={help.open} />
        </Group>
        {(!tools || tools.includes('mask')) && <OptionsBar editor={editor} />}
        <Stage editor={editor} image={image} />
      </div>
      <aside className={classes.panel}>
        {panel ?? (
          <>
            {head}
            <LabelList editor={editor} counts={counts} />
            <ObjectList editor={editor} />
            {foot}
          </>
        )}
      </aside>
      <ShortcutsDialog scope={scope} opened={isHelpOpen} onClose={help.close} />
    </div>
  )
}

/** How the current tool is used, and which keypoint comes next. */
function Tip({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const hintOf = useKeyHints('canvas')
  useSignal(editor.toolChanged, editor.sketched)
  const { name } = editor.tool
  const next = name === 'keypoints' && editor.machine.state === 'placing' ? editor.nextKeypoint : null
  return (
    <Text size="xs" c="dimmed" lineClamp={2} aria-live="polite" miw={0} flex={1}>
      {next ? t('next_point', { name: next }) : t(`tips.${name}`, { hidden: hintOf('seen') ?? '', skip: hintOf('skip') ?? '' })}
    </Text>
  )
}
