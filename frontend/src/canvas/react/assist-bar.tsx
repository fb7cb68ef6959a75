import { ActionIcon, Button, Group, Progress, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconPolygon, IconX } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useKeyHints } from '../../lib/shortcuts/use-shortcuts'
import { KeyHint } from '../../ui/key-hint'
import { ACTIONS } from '../actions'
import type { Editor } from '../editor'
import { tilesOf } from '../shapes/mask/shape'
import classes from './canvas.module.css'
import { useSignal } from './use-signal'

const STILL = { shift: false, alt: false }

const CHOICES: readonly [word: string, action: string, icon: ComponentType<{ size?: number }>][] = [
  ['as_polygon', 'to_polygon', IconPolygon],
  ['take_back', 'delete', IconArrowBackUp],
  ['discard', 'escape', IconX],
]

/** What the tool's assist is doing, and what can be done with what it found. */
export function AssistBar({ editor }: { editor: Editor }) {
  const { t } = useTranslation('canvas')
  const { needs } = editor.tool
  const assist = needs === 'assist' || needs === 'regions' ? editor[needs] : null
  useSignal(editor.sketched, editor.toolChanged, ...(assist ? [assist.changed] : []))
  if (!assist) return null
  const { state } = assist
  if (state.name === 'failed') {
    return (
      <Group gap="xs" wrap="nowrap" role="alert" miw={0}>
        <Text size="xs" c="red" lineClamp={2} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {t('assist.failed', { reason: state.reason })}
        </Text>
        <Button size="compact-xs" variant="default" className={classes.assist} onClick={() => assist.prepare()}>
          {t('assist.retry')}
        </Button>
      </Group>
    )
  }
  if (state.name === 'loading') {
    return (
      <Group gap="xs" wrap="nowrap" className={classes.assist}>
        <Text size="xs">{t('assist.loading')}</Text>
        <Progress w={90} size="sm" value={100 * state.fraction} aria-label={t('assist.loading')} />
      </Group>
    )
  }
  return <Choices editor={editor} />
}

function Choices({ editor }: { editor: Editor }): ReactNode {
  const { t } = useTranslation('canvas')
  const hintOf = useKeyHints('canvas')
  const { preview } = editor
  const keysOf = (action: string) => {
    const hint = hintOf(action)
    return hint && <KeyHint>{hint}</KeyHint>
  }
  if (preview?.kind !== 'clicks') return null
  const isEmpty = !preview.isWaiting && (!preview.object || tilesOf(preview.object).isEmpty)
  return (
    <Group gap={4} wrap="nowrap" className={classes.assist}>
      {isEmpty ? (
        <Text size="xs" role="status">
          {t('assist.nothing')}
        </Text>
      ) : (
        <Button
          size="compact-xs"
          leftSection={<IconCheck size={14} />}
          loading={preview.isWaiting}
          onClick={() => void editor.machine.complete()}
        >
          {t('assist.accept')}
        </Button>
      )}
      {CHOICES.map(([word, action, Icon]) => (
        <Tooltip
          key={word}
          label={
            <Text size="xs" span>
              {t(`assist.${word}`)} {keysOf(action)}
            </Text>
          }
        >
          <ActionIcon
            size={24}
            variant="default"
            aria-label={t(`assist.${word}`)}
            disabled={word === 'as_polygon' && isEmpty}
            onClick={() => ACTIONS[action]?.(editor, STILL)}
          >
            <Icon size={15} />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  )
}
