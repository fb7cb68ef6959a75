import { Alert, Button, Group, List, Modal, Radio, ScrollArea, Stack, Switch, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconDownload } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { useProjectFormats, useVersionFormats } from '../api/get-formats'
import type { VersionFormat } from '../api/types'
import { byLosses, downloadHref, labelsHref, type DownloadChoice } from '../model/download'

interface VersionDownloadProps {
  version: string
  number: number
  onClose: () => void
}

/** Downloads a version. */
export function DownloadDialog({ version, number, onClose }: VersionDownloadProps) {
  const { t } = useTranslation('versions')
  return (
    <FormatDialog
      title={t('download_dialog.title', { number })}
      note={t('download_dialog.version_keeps')}
      formats={useVersionFormats(version)}
      href={(choice) => downloadHref(version, choice)}
      onClose={onClose}
    />
  )
}

/** Downloads the labels as they stand, also while no version can be cut of them. */
export function LabelsDownloadDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const { t } = useTranslation('versions')
  return (
    <FormatDialog
      title={t('download_labels')}
      lead={t('download_dialog.labels_lead')}
      note={t('download_dialog.project_keeps')}
      formats={useProjectFormats(project)}
      href={(choice) => labelsHref(project, choice)}
      onClose={onClose}
    />
  )
}

interface FormatDialogProps {
  title: string
  lead?: string
  /** Where what a format loses is kept. */
  note: string
  formats: UseQueryResult<VersionFormat[], Error>
  href: (choice: DownloadChoice) => string
  onClose: () => void
}

/** Chooses the format of a download and warns of what it would lose. */
function FormatDialog({ title, lead, note, formats: query, href, onClose }: FormatDialogProps) {
  const { t } = useTranslation('versions')
  const [chosen, setChosen] = useState<string | null>(null)
  const [hasPictures, setHasPictures] = useState(true)
  const formats = byLosses(query.data ?? [])
  const format = formats.find((one) => one.name === chosen) ?? formats[0]
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack>
        {lead && (
          <Text size="sm" c="dimmed">
            {lead}
          </Text>
        )}
        {query.isPending && <LoadingState rows={4} height={40} />}
        {query.isLoadingError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.data && !format && <EmptyState title={t('download_dialog.empty_title')}>{t('download_dialog.empty_text')}</EmptyState>}
        {format && (
          <>
            <ScrollArea.Autosize mah={320} type="auto">
              <Radio.Group value={format.name} onChange={setChosen} label={t('download_dialog.format')}>
                <Stack gap={6} mt="xs" pr="sm">
                  {formats.map((one) => (
                    <FormatRadio key={one.name} format={one} />
                  ))}
                </Stack>
              </Radio.Group>
            </ScrollArea.Autosize>
            <Losses format={format} note={note} />
            <Switch
              checked={hasPictures}
              onChange={(event) => setHasPictures(event.currentTarget.checked)}
              label={t('download_dialog.pictures')}
              description={t('download_dialog.pictures_help')}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('common:cancel')}
              </Button>
              <Button
                component="a"
                href={href({ format: format.name, hasPictures })}
                download
                onClick={onClose}
                leftSection={<IconDownload size={16} />}
              >
                {t('download')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  )
}

function FormatRadio({ format }: { format: VersionFormat }) {
  const { t } = useTranslation('versions')
  const localText = useLocalText()
  const numLost = format.kinds_lost.length + format.loses.length
  const description = numLost === 0 ? t('download_dialog.keeps_all') : t('download_dialog.loses_count', { count: numLost })
  return <Radio value={format.name} label={localText(format.title)} description={description} />
}

function Losses({ format, note }: { format: VersionFormat; note: string }) {
  const { t } = useTranslation('versions')
  const localText = useLocalText()
  const lost = [
    ...format.kinds_lost.map((kind) => t('download_dialog.kind_lost', { kind: t(`download_dialog.kinds.${kind}`) })),
    ...format.loses.map(localText),
  ]
  if (!lost.length) {
    return (
      <Alert color="teal" variant="light" icon={<IconCircleCheck size={18} />} role="status">
        {t('download_dialog.nothing_lost')}
      </Alert>
    )
  }
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} title={t('download_dialog.lost')} role="status">
      <List size="sm">
        {lost.map((one) => (
          <List.Item key={one}>{one}</List.Item>
        ))}
      </List>
      <Text size="xs" c="dimmed" mt={6}>
        {note}
      </Text>
    </Alert>
  )
}
