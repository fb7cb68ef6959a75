import { Alert, Badge, Button, Group, Paper, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { IconPackage } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { formatBytes } from '../../../lib/format'
import { type LocalText, useLocalText } from '../../../lib/local-text'
import type { IncomingFile } from '../../../lib/upload/incoming'
import { useLabelFormats } from '../api/get-formats'
import { useIsMisread } from '../api/get-table-preview'
import { folderLabels, sendable, wayOf } from '../model/incoming'
import { labelSources, looseSource, numStrayLabels, type LabelSource } from '../model/label-source'
import type { TableOptions } from '../model/table-preview'
import { StagedTable } from './staged-table'

interface StagedFilesProps {
  dataset: string
  files: IncomingFile[]
  isBusy: boolean
  onStart: (files: IncomingFile[], labels: LabelSource) => void
  onCancel: () => void
}

const MOST_SHOWN = 12
const TABLES_SHOWN = 3
const TABLE = /\.(csv|tsv|xlsx|parquet|arrow|feather)$/i

/** Lines of JSON are tables where they are offered as items. */
const canBeSeen = (path: string, accept: string) =>
  TABLE.test(path) || (/\.(jsonl|ndjson)$/i.test(path) && accept.split(',').some((ending) => path.toLowerCase().endsWith(ending)))

/** What is about to be sent, and where its labels come from. */
export function StagedFiles({ dataset, files, isBusy, onStart, onCancel }: StagedFilesProps) {
  const { t } = useTranslation('data')
  const sent = useMemo(() => sendable(files), [files])
  const labels = useMemo(() => folderLabels(sent), [sent])
  const hasArchive = sent.some((one) => wayOf(one) === 'archive')
  const formats = useLabelFormats({ isEnabled: hasArchive }).data ?? []
  const names = formats.map((one) => one.name)
  const sources = labelSources({ hasArchive, hasFolders: labels.length > 0 }, names)
  const [chosen, setChosen] = useState<LabelSource | null>(null)
  const source = chosen !== null && sources.includes(chosen) ? chosen : (sources[0] ?? 'none')
  const { upload } = useItemKind()
  const [options, setOptions] = useState<Readonly<Record<string, TableOptions>>>({})
  const sendAll = () =>
    onStart(
      sent.map((one) => ({ ...one, ...(options[one.path] && { table: options[one.path] }) })),
      source,
    )
  const numStray = useMemo(() => {
    const loose = sent.filter((one) => wayOf(one) === 'batch' || wayOf(one) === 'file')
    return numStrayLabels(
      loose.map(({ path }) => path),
      upload.items,
    )
  }, [sent, upload])
  const tables = sent.filter((one) => wayOf(one) === 'labels_csv' && canBeSeen(one.path, upload.accept)).slice(0, TABLES_SHOWN)
  const isMisread = useIsMisread(dataset, tables, options)
  const others = sent.filter((one) => !tables.includes(one)).map(({ path }) => path)
  const size_bytes = sent.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <Paper mb="md" role="region" aria-label={t('staged.title')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{t('staged.summary', { count: sent.length, size: formatBytes(size_bytes) })}</Text>
          <Group gap="xs">
            <Button variant="default" onClick={onCancel}>
              {t('common:cancel')}
            </Button>
            <Button autoFocus loading={isBusy} disabled={!sent.length || isMisread} onClick={sendAll}>
              {t('staged.start')}
            </Button>
          </Group>
        </Group>
        {tables.map((one) => (
          <StagedTable
            key={one.path}
            dataset={dataset}
            incoming={one}
            chosen={options[one.path] ?? {}}
            onChoose={(now) => setOptions((before) => ({ ...before, [one.path]: now }))}
          />
        ))}
        {others.length > 0 && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {others.slice(0, MOST_SHOWN).join(' · ')}
            {others.length > MOST_SHOWN && ` · ${t('staged.more', { count: others.length - MOST_SHOWN })}`}
          </Text>
        )}
        {sources.length > 0 && (
          <Group gap="sm">
            <Text size="sm">{t('staged.labels')}</Text>
            {hasArchive ? (
              <SourceSelect sources={sources} formats={formats} value={source} onChange={setChosen} />
            ) : (
              <SegmentedControl
                size="xs"
                value={source}
                onChange={setChosen}
                data={[
                  { value: 'folder', label: t('staged.folder') },
                  { value: 'none', label: t('staged.none') },
                ]}
              />
            )}
          </Group>
        )}
        {looseSource(source) === 'folder' && sources.length > 0 && (
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
        {numStray > 0 && (
          <Alert color="yellow" variant="light" icon={<IconPackage size={18} />} role="status">
            {t('staged.stray', { count: numStray })}
          </Alert>
        )}
      </Stack>
    </Paper>
  )
}

interface SourceSelectProps {
  sources: readonly LabelSource[]
  formats: readonly { name: string; title: LocalText }[]
  value: LabelSource
  onChange: (source: LabelSource | null) => void
}

/** Says of which format the labels in an archive are. */
function SourceSelect({ sources, formats, value, onChange }: SourceSelectProps) {
  const { t } = useTranslation('data')
  const localText = useLocalText()
  const titles = new Map(formats.map((one) => [one.name, localText(one.title)]))
  const words: Record<string, string> = { auto: t('staged.auto'), none: t('staged.none') }
  return (
    <Select
      size="xs"
      w={240}
      aria-label={t('staged.labels')}
      value={value}
      onChange={onChange}
      allowDeselect={false}
      searchable
      data={sources.map((source) => ({ value: source, label: words[source] ?? titles.get(source) ?? source }))}
    />
  )
}
