import { Button, Group, Slider, Stack, Text, Tooltip } from '@mantine/core'
import { IconCircleOff, IconCopy } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useSignal } from '../../../canvas/react/use-signal'
import type { Item } from '../../../lib/api/types'
import { useKeyHints } from '../../../lib/shortcuts/use-shortcuts'
import { CommentsPanel } from '../../../ui/comments/comments-panel'
import { KeyHint } from '../../../ui/key-hint'
import { idOfShared } from '../api/shared-work'
import type { Drawing } from '../model/drawing'
import classes from './drawing.module.css'

interface DrawingActionsProps {
  drawing: Drawing
  item: Item
  /** The picture is annotated as empty. */
  isEmpty: boolean
  canLabel: boolean
  isFirst: boolean
  /** Proposals less sure than that, 0..1, are not shown. */
  atLeast: number
  onAtLeast: (fraction: number) => void
  accept: () => void
  copy: () => void
  nothing: () => void
  next: () => void
  previous: () => void
}

/** Keeps the focus where it is, so that Enter goes on drawing. */
const keepFocus = (event: MouseEvent) => event.preventDefault()

/** What is done to the picture as a whole. */
export function DrawingActions({ drawing, item, isEmpty, canLabel, isFirst, atLeast, onAtLeast, ...on }: DrawingActionsProps) {
  const { t } = useTranslation('labelling')
  const hint = useKeyHints('drawing')
  return (
    <Stack gap={8} className={classes.foot}>
      <Proposals drawing={drawing} canLabel={canLabel} atLeast={atLeast} onAtLeast={onAtLeast} onAccept={on.accept} />
      <Tooltip label={t('drawing.nothing_about')} multiline maw={260}>
        <Wide
          icon={<IconCircleOff size={15} />}
          hint={hint('nothing')}
          isPressed={isEmpty}
          isDisabled={!canLabel}
          onClick={on.nothing}
          word={t('drawing.nothing')}
        />
      </Tooltip>
      <Wide
        icon={<IconCopy size={15} />}
        hint={hint('copy')}
        isDisabled={!canLabel || isFirst}
        onClick={on.copy}
        word={t('drawing.copy')}
      />
      <CommentsPanel item={idOfShared(item.id)} canWrite={canLabel} scope="drawing" />
      <Group gap="xs" grow preventGrowOverflow={false} wrap="nowrap">
        <Button
          variant="default"
          px={6}
          disabled={isFirst}
          rightSection={<KeyHint>{hint('previous') ?? ''}</KeyHint>}
          onMouseDown={keepFocus}
          onClick={on.previous}
        >
          ← {t('previous')}
        </Button>
        <Button px={6} rightSection={<KeyHint>{hint('next') ?? ''}</KeyHint>} onMouseDown={keepFocus} onClick={on.next}>
          {t('next')} →
        </Button>
      </Group>
    </Stack>
  )
}

interface ProposalsProps {
  drawing: Drawing
  canLabel: boolean
  atLeast: number
  onAtLeast: (fraction: number) => void
  onAccept: () => void
}

function Proposals({ drawing, canLabel, atLeast, onAtLeast, onAccept }: ProposalsProps) {
  const { t } = useTranslation('labelling')
  const hint = useKeyHints('drawing')('accept')
  useSignal(drawing.canvas.proposalsChanged)
  const count = drawing.canvas.proposals.length
  if (drawing.numSuggested === 0) return null
  return (
    <section aria-label={t('suggestions.title')}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="xs" fw={600} truncate>
          {t('drawing.suggested', { count })}
        </Text>
        <Button
          size="compact-xs"
          flex="none"
          disabled={!canLabel || count === 0}
          rightSection={hint && <KeyHint>{hint}</KeyHint>}
          onMouseDown={keepFocus}
          onClick={onAccept}
        >
          {t('drawing.accept')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {t('drawing.at_least', { percent: `${Math.round(atLeast * 100)} %` })}
      </Text>
      <Slider
        size="sm"
        min={0}
        max={0.95}
        step={0.05}
        label={null}
        value={atLeast}
        thumbLabel={t('drawing.at_least', { percent: `${Math.round(atLeast * 100)} %` })}
        onChange={onAtLeast}
      />
      <Text size="xs" c="dimmed">
        {t('drawing.accept_about')}
      </Text>
    </section>
  )
}

interface WideProps {
  icon: ReactNode
  word: string
  hint: string | undefined
  isPressed?: boolean
  isDisabled: boolean
  onClick: () => void
}

function Wide({ icon, word, hint, isPressed, isDisabled, onClick, ...others }: WideProps) {
  return (
    <Button
      {...others}
      fullWidth
      size="compact-sm"
      justify="space-between"
      variant={isPressed ? 'filled' : 'default'}
      color={isPressed ? 'teal.8' : undefined}
      aria-pressed={isPressed}
      disabled={isDisabled}
      leftSection={icon}
      rightSection={hint && <KeyHint>{hint}</KeyHint>}
      onMouseDown={keepFocus}
      onClick={onClick}
    >
      {word}
    </Button>
  )
}
