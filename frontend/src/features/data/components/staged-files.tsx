import { Badge, Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatBytes } from '../../../lib/format'
import { folderLabels, type IncomingFile, wayOf, withoutSharedRoot } from '../model/incoming'
import type { LabelSource } from '../model/upload-queue'

interface StagedFilesProps {
  files: IncomingFile[]
  isBusy: boolean
  onStart: (files: IncomingFile[], labels: LabelSource) => void
  onCancel: () => void
}

const MOST_SHOWN = 12

/** What is about to be sent, and where its labels come from. */
export function StagedFiles({ files, isBusy, onStart, onCancel }: StagedFilesProps) {
  const { t } = useTranslation('data')
  const wanted = useMemo(() => withoutSharedRoot(files.filter((one) => wayOf(one) !== 'ignore')), [files])
  const labels = useMemo(() => folderLabels(wanted), [wanted])
  const hasArchive = wanted.some((one) => wayOf(one) === 'archive')
  const canLabel = labels.length > 0 || hasArchive
  const [source, setSource] = useState<LabelSource>('folder')
  const size_bytes = wanted.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <Paper mb="md" role="region" aria-label={t('staged.title')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{t('staged.summary', { count: wanted.length, size: formatBytes(size_bytes) })}</Text>
          <Group gap="xs">
            <Button variant="default" onClick={onCancel}>
              {t('common:cancel')}
            </Button>
            <Button autoFocus loading={isBusy} disabled={!wanted.length} onClick={() => onStart(wanted, canLabel ? source : 'none')}>
              {t('staged.start')}
            </Button>
          </Group>
        </Group>
        {canLabel && (
          <Group gap="sm">
            <Text size="sm">{t('staged.labels')}</Text>
            <SegmentedControl
              size="xs"
              value={source}
              onChange={(value) => setSource(value as LabelSource)}
              data={[
                { value: 'folder', label: t('staged.folder') },
                { value: 'none', label: t('staged.none') },
              ]}
            />
          </Group>
        )}
        {canLabel && source === 'folder' && (
          <Group gap={4} mih={22}>
            {labels.slice(0, MOST_SHOWN).map((label) => (
              <Badge key={label}>{label}</Badge>
            ))}
            {labels.length > MOST_SHOWN && <Text size="xs">{t('staged.more', { count: labels.length - MOST_SHOWN })}</Text>}
            {hasArchive && (
              <Text size="xs" c="dimmed">
                {t('staged.archive')}
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </Paper>
  )
}
