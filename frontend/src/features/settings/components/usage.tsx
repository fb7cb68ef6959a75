import { Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatBytes, formatNumber, formatPercent } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { type Use, useUsage } from '../api/settings'
import { usedShare, shareColor } from '../model/usage'
import { Storage } from './storage'

/** How much the workspace uses, and how much it may. */
export function Usage({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const usage = useUsage(workspace)
  if (usage.isPending) return <LoadingState rows={5} />
  if (usage.isLoadingError) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
  const isUnlimited = usage.data?.every((use) => use.limit === null)
  return (
    <Stack maw={880}>
      <Text size="sm" c="dimmed">
        {t(isUnlimited ? 'usage.unlimited_text' : 'usage.text')}
      </Text>
      {usage.data && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {usage.data.map((use) => (
            <Bar key={use.quota} use={use} />
          ))}
        </SimpleGrid>
      )}
      <Storage workspace={workspace} />
    </Stack>
  )
}

function Bar({ use }: { use: Use }) {
  const { t } = useTranslation('settings')
  const inWords = useLocalText()
  const share = usedShare(use)
  const shown = (value: number) => (use.quota === 'storage_bytes' ? formatBytes(value) : formatNumber(value))
  const name = inWords(use.name)
  return (
    <Paper p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" flex="none">
          {use.limit === null
            ? t('usage.of_unlimited', { used: shown(use.used) })
            : t('usage.of', { used: shown(use.used), limit: shown(use.limit), percent: formatPercent(share) })}
        </Text>
      </Group>
      {use.limit !== null && <Progress mt={6} value={Math.min(100, share * 100)} color={shareColor(share)} aria-label={name} />}
    </Paper>
  )
}
