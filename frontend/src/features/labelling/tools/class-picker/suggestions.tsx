import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { scoredLabelsOf } from '../../../../answers/annotations'
import { formatPercent } from '../../../../lib/format'
import { KeyHint } from '../../../../ui/key-hint'
import type { Suggestion } from '../../model/frozen'

interface SuggestionsProps {
  suggestion: Suggestion | null
  isDisabled: boolean
  hint: string | undefined
  onAccept: () => void
  /** Whether a suggestion may come, so that space is reserved for it. */
  isExplained: boolean
  children?: ReactNode
}

/** A suggestion with its score. Never accepted automatically. Its space is reserved, so that the layout does not shift. */
export function Suggestions({ suggestion, isDisabled, hint, onAccept, isExplained, children }: SuggestionsProps) {
  const { t } = useTranslation('labelling')
  const shown = scoredLabelsOf(suggestion?.annotations ?? null).slice(0, 3)
  const isReturned = suggestion?.by.startsWith('person:')
  return (
    <Stack gap={4} mih={isExplained ? 124 : 92}>
      <Group justify="space-between" wrap="nowrap" mih={22}>
        <Text size="xs" c="dimmed" truncate>
          {t(isReturned ? 'suggestions.returned' : 'suggestions.title')}
        </Text>
        {shown.length > 0 && (
          <Button
            size="compact-xs"
            variant="light"
            flex="none"
            disabled={isDisabled}
            rightSection={hint && <KeyHint>{hint}</KeyHint>}
            onMouseDown={(event) => event.preventDefault()}
            onClick={onAccept}
          >
            {t('suggestions.accept')}
          </Button>
        )}
      </Group>
      {shown.map(({ label, score }, index) => (
        <Group key={label} gap="xs" wrap="nowrap">
          <Text size="xs" truncate w={96} fw={index === 0 ? 600 : undefined} title={label}>
            {label}
          </Text>
          <Progress value={(score ?? 0) * 100} size="sm" flex={1} aria-label={label} color={index === 0 ? undefined : 'gray'} />
          <Text size="xs" c="dimmed" w={44} ta="right">
            {score == null ? '' : formatPercent(score)}
          </Text>
        </Group>
      ))}
      {shown.length === 0 && (
        <Text size="xs" c="dimmed">
          {t('suggestions.none')}
        </Text>
      )}
      {children}
    </Stack>
  )
}
