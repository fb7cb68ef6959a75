import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Annotation } from '../../../lib/api/types'
import { formatPercent } from '../../../lib/format'
import { KeyHint } from '../../../ui/key-hint'

interface SuggestionsProps {
  suggestions: readonly Annotation[]
  isDisabled: boolean
  onAccept: () => void
}

/** What a model thinks, and how sure it is. Never taken over by itself. */
export function Suggestions({ suggestions, isDisabled, onAccept }: SuggestionsProps) {
  const { t } = useTranslation('labelling')
  const shown = suggestions.flatMap((one) => (one.kind === 'class' ? [one] : [])).slice(0, 3)
  if (!shown.length) return null
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {t('suggestions.title')}
        </Text>
        <Button size="compact-xs" variant="light" disabled={isDisabled} rightSection={<KeyHint>A</KeyHint>} onClick={onAccept}>
          {t('suggestions.accept')}
        </Button>
      </Group>
      {shown.map(({ label, score }) => (
        <Group key={label} gap="xs" wrap="nowrap">
          <Text size="xs" truncate w={96}>
            {label}
          </Text>
          <Progress value={(score ?? 0) * 100} size="sm" flex={1} aria-label={label} />
          <Text size="xs" c="dimmed" w={44} ta="right">
            {score == null ? '' : formatPercent(score)}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
