import { Group, Progress as Bar, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatSeconds } from '../lib/format'

interface ProgressProps {
  fraction: number
  label?: string
  remainingSeconds?: number | null
  isMoving?: boolean
}

/** How far long work is, and how long it still takes. */
export function Progress({ fraction, label, remainingSeconds, isMoving = true }: ProgressProps) {
  const { t } = useTranslation('common')
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" truncate>
          {label}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
          {remainingSeconds != null && remainingSeconds > 0 && `${t('remaining', { time: formatSeconds(remainingSeconds) })} · `}
          {fraction > 0 && `${Math.floor(fraction * 100)}%`}
        </Text>
      </Group>
      {/* Until a part is done, the bar says no more than that something is going on. */}
      <Bar
        value={fraction > 0 || !isMoving ? fraction * 100 : 100}
        size="sm"
        animated={isMoving}
        aria-label={label}
        {...(fraction <= 0 && { color: 'accent.2' })}
      />
    </Stack>
  )
}
