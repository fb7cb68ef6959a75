import { ActionIcon, Divider, Stack, Text, Tooltip } from '@mantine/core'
import {
  IconBrush,
  IconBucketDroplet,
  IconEraser,
  IconHandStop,
  IconHexagons,
  IconLine,
  IconPoint,
  IconPointer,
  IconPolygon,
  IconTextScan2,
  IconRectangle,
  IconShape,
  IconSparkles,
  IconStretching,
  IconWand,
} from '@tabler/icons-react'
import { type ComponentType, Fragment } from 'react'
import { useTranslation } from 'react-i18next'

import { useKeyHints } from '../../lib/shortcuts/use-shortcuts'
import { KeyHint } from '../../ui/key-hint'
import type { Editor } from '../editor'
import { TOOLS } from '../shapes'
import classes from './canvas.module.css'
import { useSignal } from './use-signal'

type Icon = ComponentType<{ size?: number; stroke?: number; style?: { transform: string } }>

const ICONS: Record<string, Icon> = {
  select: IconPointer,
  pan: IconHandStop,
  box: IconRectangle,
  polygon: IconPolygon,
  quad: IconTextScan2,
  polyline: IconLine,
  point: IconPoint,
  keypoints: IconStretching,
  mask: IconBrush,
  eraser: IconEraser,
  fill: IconBucketDroplet,
  click_mask: IconSparkles,
  wand: IconWand,
  superpixels: IconHexagons,
}
const TURNED = { transform: 'rotate(-28deg) scale(0.88)' }
/** A tool that came without a picture of its own. */
const OTHER = IconShape

interface ToolbarProps {
  editor: Editor
  /** Names of the tools that are offered; all when absent. */
  tools?: readonly string[]
  /** After a choice, so that keys go to the drawing area. */
  onChosen: () => void
}

/** All tools that there are folders of, with their keys. */
export function Toolbar({ editor, tools, onChosen }: ToolbarProps) {
  const { t } = useTranslation('canvas')
  const hintOf = useKeyHints('canvas')
  useSignal(editor.toolChanged, editor.labelsChanged)
  const hasSkeleton = editor.labels.some(({ skeleton }) => skeleton)
  const offered = TOOLS.filter(
    ({ name, makes, needs }) => (!tools || tools.includes(name)) && !(editor.isReadOnly && makes) && (!needs || editor[needs]),
  )
  return (
    <Stack gap={2} className={classes.toolbar} role="toolbar" aria-label={t('tools.title')} aria-orientation="vertical">
      {offered.map((tool, index) => {
        const { name } = tool
        const isOff = name === 'keypoints' && !hasSkeleton
        const Shown = ICONS[name] ?? (name === 'rotated_box' ? IconRectangle : OTHER)
        const hint = hintOf(`tool_${name}`)
        return (
          <Fragment key={name}>
            {index > 0 && !offered[index - 1]?.makes && tool.makes && <Divider my={4} />}
            <Tooltip
              position="right"
              label={
                <Text size="xs" span>
                  {isOff ? t('no_skeleton') : t(`tools.${name}`)} {hint && <KeyHint>{hint}</KeyHint>}
                </Text>
              }
            >
              <ActionIcon
                size={34}
                variant={editor.tool.name === name ? 'filled' : 'subtle'}
                color={editor.tool.name === name ? 'accent' : 'gray'}
                aria-label={t(`tools.${name}`)}
                aria-pressed={editor.tool.name === name}
                disabled={isOff}
                onClick={() => {
                  editor.chooseTool(name)
                  onChosen()
                }}
              >
                <Shown size={19} stroke={1.7} {...(name === 'rotated_box' ? { style: TURNED } : {})} />
              </ActionIcon>
            </Tooltip>
          </Fragment>
        )
      })}
    </Stack>
  )
}
