import { Collapse, Drawer, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Upload } from '../../../lib/api/types'
import { formatBytes } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { StateBadge } from '../../../ui/state-badge'
import { useRejects, useUploads } from '../api/get-uploads'

interface UploadsDrawerProps {
  dataset: string
  opened: boolean
  onClose: () => void
}

/** What was uploaded, what became of it, and which files were refused for what reason. */
export function UploadsDrawer({ dataset, opened, onClose }: UploadsDrawerProps) {
  const { t } = useTranslation('data')
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size="lg" title={t('uploads.title')}>
      {opened && <Uploads dataset={dataset} />}
    </Drawer>
  )
}

function Uploads({ dataset }: { dataset: string }) {
  const { t } = useTranslation('data')
  const uploads = useUploads(dataset)
  if (uploads.isPending) return <LoadingState height={56} />
  if (uploads.isLoadingError) return <ErrorState error={uploads.error} onRetry={() => void uploads.refetch()} />
  const rows = uploads.data.pages.flatMap((page) => page.items)
  if (!rows.length) return <EmptyState title={t('uploads.empty')} />
  return (
    <Stack gap={0}>
      {rows.map((upload, index) => (
        <UploadRow key={upload.id} upload={upload} isNewest={index === 0} />
      ))}
      <LoadMore query={uploads} />
    </Stack>
  )
}

function UploadRow({ upload, isNewest }: { upload: Upload; isNewest: boolean }) {
  const { t } = useTranslation('data')
  const facts = [
    t('uploads.new', { count: upload.num_items }),
    upload.num_labelled > 0 && t('uploads.labelled', { count: upload.num_labelled }),
    upload.num_duplicates > 0 && t('uploads.duplicates', { count: upload.num_duplicates }),
    upload.num_rejected > 0 && t('uploads.rejected', { count: upload.num_rejected }),
    upload.num_noted > 0 && t('uploads.noted', { count: upload.num_noted }),
  ].filter(Boolean)
  const numFiles = upload.num_items + upload.num_duplicates + upload.num_rejected
  const hasRejects = upload.num_rejected + upload.num_noted > 0
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? (isNewest && hasRejects)
  const head = (
    <Group wrap="nowrap" gap="sm" py="xs">
      <IconChevronRight
        size={14}
        style={{ visibility: hasRejects ? 'visible' : 'hidden', rotate: isOpen ? '90deg' : '0deg' }}
        aria-hidden
      />
      <Stack gap={0} flex={1} miw={0}>
        <Text size="sm" truncate>
          {upload.kind === 'batch' && /^\d+ files$/.test(upload.name) ? t('uploads.batch', { count: numFiles }) : upload.name}
        </Text>
        <Text size="xs" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </Stack>
      <Stack gap={0} align="flex-end">
        <StateBadge state={upload.state} />
        <Text size="xs" c="dimmed">
          {upload.created_by.name} · {formatBytes(upload.size_bytes)} · <RelativeTime value={upload.created_at} />
        </Text>
      </Stack>
    </Group>
  )
  return (
    <div style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
      {hasRejects ? (
        <UnstyledButton w="100%" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
          {head}
        </UnstyledButton>
      ) : (
        head
      )}
      <Collapse expanded={isOpen}>{isOpen && <Rejects dataset={upload.dataset} upload={upload.id} />}</Collapse>
    </div>
  )
}

function Rejects({ dataset, upload }: { dataset: string; upload: string }) {
  const { t } = useTranslation('data')
  const local = useLocalText()
  const rejects = useRejects(dataset, upload)
  if (rejects.isPending) return <LoadingState rows={2} height={24} />
  if (rejects.isLoadingError) return <ErrorState error={rejects.error} onRetry={() => void rejects.refetch()} />
  if (!rejects.data.pages[0]?.items.length) {
    return (
      <Text size="sm" c="dimmed" pl="xl" pb="xs">
        {t('uploads.none_refused')}
      </Text>
    )
  }
  return (
    <>
      <Table mb="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('uploads.file')}</Table.Th>
            <Table.Th>{t('uploads.reason')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rejects.data.pages
            .flatMap((page) => page.items)
            .map((reject, index) => (
              <Table.Tr key={index}>
                <Table.Td style={{ wordBreak: 'break-all' }}>{reject.name}</Table.Td>
                <Table.Td>{local(reject.reason)}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      <LoadMore query={rejects} />
    </>
  )
}
