import { ActionIcon, Button, Group, Paper, Progress, Stack, Text, Tooltip } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../../../lib/api/errors'
import { formatBytes, formatNumber, formatSeconds } from '../../../lib/format'
import { useProject } from '../../../lib/project/project'
import { refusalText } from '../../../lib/refusal-text'
import { useUploads } from '../api/get-uploads'
import { useQueueSnapshot } from '../api/use-upload-queue'
import { openTransfers, type Transfer } from '../model/transfer'
import type { UploadQueue } from '../model/upload-queue'
import { Arrived } from './arrived'
import { FolderNote } from './folder-note'

const ROW_PX = 28
const ROWS_IN_SIGHT = 6
const REASONS_SHOWN = 3

interface QueuePanelProps {
  queue: UploadQueue
  dataset: string
  /** Opens the list of uploads, with the reasons of refusals. */
  onExplain: () => void
  /** Shows the field for more files. */
  onMore: () => void
}

/** How the sending goes: all of it in one bar, and what needs attention below. */
export function QueuePanel({ queue, dataset, onExplain, onMore }: QueuePanelProps) {
  const { t } = useTranslation('data')
  const snapshot = useQueueSnapshot(queue)
  const uploads = useUploads(dataset).data?.pages[0]?.items ?? []
  const read = uploads.filter(({ id, state }) => state === 'done' && snapshot.transfers.some(({ finished }) => finished === id))
  const { is_active, is_paused, size_bytes, sent_bytes, num_files, num_files_done, num_unreadable } = snapshot
  const isOver = !is_active && !is_paused
  // If closed earlier, the result would not be shown.
  const isRead = uploads.every(({ id, state }) => state !== 'ingesting' || snapshot.transfers.every(({ finished }) => finished !== id))
  const project = useProject().data
  const [settled, setSettled] = useState<ReadonlySet<number>>(new Set())
  const { num_known, num_duplicates } = snapshot
  const open = openTransfers(snapshot.transfers)
  const wasCancelled = snapshot.transfers.every((one) => one.state === 'cancelled')
  const reasons = [...new Set(open.filter(({ state }) => state === 'failed').map(({ error }) => reason(error)))]
  const end = wasCancelled ? 'queue.cancelled' : reasons.length ? 'queue.incomplete' : 'queue.done'
  const title = t(is_paused ? 'queue.paused' : is_active ? 'queue.sending' : end)
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
            {!isOver ? (
              <Button variant="subtle" color="red" onClick={() => queue.cancel()}>
                {t('queue.cancel')}
              </Button>
            ) : (
              isRead && (
                <Button variant="default" onClick={() => queue.clear()}>
                  {t('queue.clear')}
                </Button>
              )
            )}
          </Group>
        </Group>
        {(!isOver || open.length > 0) && (
          <Progress value={100 * fractionOf(num_files_done, num_files, sent_bytes, size_bytes)} animated={is_active} aria-label={title} />
        )}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" aria-live="polite">
            {t('queue.files', { done: formatNumber(num_files_done), count: num_files, all: formatNumber(num_files) })} ·{' '}
            {formatBytes(sent_bytes)} / {formatBytes(size_bytes)}
            {num_known > 0 && ` · ${t('queue.known', { count: num_known })}`}
            {num_duplicates > 0 && ` · ${t('queue.duplicates', { count: num_duplicates })}`}
            {!isOver && num_unreadable > 0 && ` · ${t('uploads.rejected', { count: num_unreadable })}`}
          </Text>
          <Text size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {[
              is_active && num_files > 1 && t('queue.rate', { rate: formatNumber(Math.round(snapshot.rate_files_s)) }),
              is_active && snapshot.rate_bytes_s > 0 && `${formatBytes(snapshot.rate_bytes_s)}/s`,
              snapshot.remaining_s !== null && t('common:remaining', { time: formatSeconds(snapshot.remaining_s) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Group>
        {isOver &&
          project &&
          snapshot.transfers
            .filter(({ id }) => !settled.has(id))
            .map((transfer) => (
              <FolderNote
                key={transfer.id}
                project={project}
                transfer={transfer}
                onSettled={() => setSettled((before) => new Set([...before, transfer.id]))}
              />
            ))}
        {isOver && read.length > 0 && <Arrived uploads={read} onExplain={onExplain} onMore={onMore} />}
        {open.length > 0 && <Rows transfers={open} queue={queue} />}
        {reasons.slice(0, REASONS_SHOWN).map((text) => (
          <Text key={text} size="xs" c="red" role="alert">
            {text}
          </Text>
        ))}
      </Stack>
    </Paper>
  )
}

/** All of them in a box that scrolls; only those in sight are drawn. */
function Rows({ transfers, queue }: { transfers: Readonly<Transfer>[]; queue: UploadQueue }) {
  const { t } = useTranslation('data')
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: transfers.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => transfers[index]?.id ?? index,
    overscan: 4,
  })
  const scrolls = transfers.length > ROWS_IN_SIGHT
  return (
    <div
      ref={scroller}
      style={{ maxHeight: ROWS_IN_SIGHT * ROW_PX, overflowY: 'auto' }}
      role="region"
      aria-label={t('queue.transfers')}
      tabIndex={scrolls ? 0 : undefined}
    >
      <div style={{ position: 'relative', height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const transfer = transfers[index]
          return (
            transfer && (
              <div key={key} style={{ position: 'absolute', insetInline: 0, height: ROW_PX, transform: `translateY(${start}px)` }}>
                <TransferRow transfer={transfer} queue={queue} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

function TransferRow({ transfer, queue }: { transfer: Readonly<Transfer>; queue: UploadQueue }) {
  const { t } = useTranslation('data')
  const name = transfer.num_files > 1 ? t('queue.batch', { count: transfer.num_files, name: transfer.name }) : transfer.name
  const isOver = transfer.state === 'done' || transfer.state === 'cancelled'
  return (
    <Group gap="xs" wrap="nowrap" h={ROW_PX}>
      <Text size="xs" truncate flex={1}>
        {name}
      </Text>
      <Text size="xs" c={transfer.state === 'failed' ? 'red' : 'dimmed'} truncate maw="50%">
        {transfer.error instanceof ApiError ? refusalText(transfer.error).title : t(`queue.state.${transfer.state}`)}
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

/** Files count in full when they are done; before that in proportion to the bytes sent. */
function fractionOf(numDone: number, numFiles: number, sent_bytes: number, size_bytes: number): number {
  const bytes = size_bytes ? sent_bytes / size_bytes : 1
  return numFiles > 1 ? (numDone / numFiles + bytes) / 2 : bytes
}

/** What happened and what to do, in full. */
function reason(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const { title, detail, hint } = refusalText(error)
  return [detail || title, hint].filter(Boolean).join(' ')
}
