import { ActionIcon, Button, Group, Paper, Progress, Stack, Text, Tooltip } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../../../lib/api/errors'
import { formatBytes, formatNumber, formatSeconds } from '../../../lib/format'
import type { QueueSnapshot, Transfer, UploadQueue } from '../model/upload-queue'

interface QueuePanelProps {
  queue: UploadQueue
  snapshot: QueueSnapshot
}

const MOST_SHOWN = 6
const RANK: Record<Transfer['state'], number> = { failed: 0, sending: 1, paused: 2, waiting: 3, cancelled: 4, done: 5 }

/** How the sending goes: all of it in one bar, and what needs attention below. */
export function QueuePanel({ queue, snapshot }: QueuePanelProps) {
  const { t } = useTranslation('data')
  const { is_active, is_paused, size_bytes, sent_bytes, num_files, num_files_done } = snapshot
  const shown = snapshot.transfers.filter((one) => one.state !== 'done').sort((one, other) => RANK[one.state] - RANK[other.state])
  const numDuplicates = snapshot.transfers.reduce((sum, one) => sum + one.num_duplicates, 0)
  const numKnown = snapshot.transfers.reduce((sum, one) => sum + one.num_known, 0)
  const numUnreadable = snapshot.transfers.reduce((sum, one) => sum + one.num_unreadable, 0)
  const wasCancelled = snapshot.transfers.every((one) => one.state === 'cancelled')
  const title = is_paused ? t('queue.paused') : is_active ? t('queue.sending') : t(wasCancelled ? 'queue.cancelled' : 'queue.done')
  return (
    <Paper mb="md" role="region" aria-label={title}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={600}>{title}</Text>
          <Group gap={4} wrap="nowrap">
            {is_active && (
              <Button variant="default" leftSection={<IconPlayerPause size={14} />} onClick={() => queue.pause()}>
                {t('queue.pause')}
              </Button>
            )}
            {is_paused && (
              <Button leftSection={<IconPlayerPlay size={14} />} onClick={() => queue.resume()}>
                {t('queue.resume')}
              </Button>
            )}
            {is_active || is_paused ? (
              <Button variant="subtle" color="red" onClick={() => queue.cancel()}>
                {t('queue.cancel')}
              </Button>
            ) : (
              <Button variant="default" onClick={() => queue.clear()}>
                {t('queue.clear')}
              </Button>
            )}
          </Group>
        </Group>
        <Progress value={100 * fractionOf(num_files_done, num_files, sent_bytes, size_bytes)} animated={is_active} aria-label={title} />
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" aria-live="polite">
            {t('queue.files', { done: formatNumber(num_files_done), count: num_files, all: formatNumber(num_files) })} ·{' '}
            {formatBytes(sent_bytes)} / {formatBytes(size_bytes)}
            {numKnown > 0 && ` · ${t('queue.known', { count: numKnown })}`}
            {numDuplicates > 0 && ` · ${t('queue.duplicates', { count: numDuplicates })}`}
            {numUnreadable > 0 && ` · ${t('queue.unreadable', { count: numUnreadable })}`}
          </Text>
          <Text size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {is_active &&
              `${t('queue.rate', { rate: formatNumber(Math.round(snapshot.rate_files_s)) })} · ${formatBytes(snapshot.rate_bytes_s)}/s`}
            {snapshot.remaining_s !== null && ` · ${t('common:remaining', { time: formatSeconds(snapshot.remaining_s) })}`}
          </Text>
        </Group>
        {shown.slice(0, MOST_SHOWN).map((transfer) => (
          <TransferRow key={transfer.id} transfer={transfer} queue={queue} />
        ))}
        {shown.length > MOST_SHOWN && (
          <Text size="xs" c="dimmed">
            {t('queue.more', { count: shown.length - MOST_SHOWN })}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function TransferRow({ transfer, queue }: { transfer: Transfer; queue: UploadQueue }) {
  const { t } = useTranslation('data')
  const name = transfer.num_files > 1 ? t('queue.batch', { count: transfer.num_files, name: transfer.name }) : transfer.name
  const isOver = transfer.state === 'done' || transfer.state === 'cancelled'
  return (
    <Group gap="xs" wrap="nowrap" mih={28}>
      <Text size="xs" truncate flex={1}>
        {name}
      </Text>
      <Text size="xs" c={transfer.state === 'failed' ? 'red' : 'dimmed'} truncate maw="50%">
        {transfer.state === 'failed' ? reason(transfer.error) : t(`queue.state.${transfer.state}`)}
      </Text>
      <Progress
        w={96}
        size="sm"
        value={100 * fractionOf(transfer.num_files_done, transfer.num_files, transfer.sent_bytes, transfer.size_bytes)}
        aria-label={name}
      />
      <Group gap={0} w={56} wrap="nowrap" justify="flex-end">
        {transfer.state === 'failed' && (
          <Tooltip label={t('queue.retry')}>
            <ActionIcon aria-label={t('queue.retry')} onClick={() => queue.retry(transfer.id)}>
              <IconRefresh size={14} />
            </ActionIcon>
          </Tooltip>
        )}
        {!isOver && (
          <Tooltip label={t('queue.cancel')}>
            <ActionIcon aria-label={t('queue.cancel')} onClick={() => queue.cancel(transfer.id)}>
              <IconX size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </Group>
  )
}

/** Files count in full when they are done; before that their bytes say how far they are. */
function fractionOf(numDone: number, numFiles: number, sent_bytes: number, size_bytes: number): number {
  const bytes = size_bytes ? sent_bytes / size_bytes : 1
  return numFiles > 1 ? (numDone / numFiles + bytes) / 2 : bytes
}

function reason(error: unknown): string {
  if (error instanceof ApiError) return [error.detail || error.title || error.code, error.hint].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}
