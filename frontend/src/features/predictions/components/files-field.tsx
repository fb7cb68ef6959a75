import { ActionIcon, Button, FileButton, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconCloudUpload, IconFolder, IconX } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { formatBytes, formatNumber } from '../../../lib/format'
import { filesOfDrop, filesOfInput, type IncomingFile } from '../../../lib/upload/incoming'
import { notifyError } from '../../../ui/notify'
import { withFiles } from '../model/prediction-form'
import classes from './files-field.module.css'

interface FilesFieldProps {
  files: readonly IncomingFile[]
  onChange: (files: readonly IncomingFile[]) => void
}

const MOST_SHOWN = 8

/** Takes files that are dropped or chosen; they become no part of the project. */
export function FilesField({ files, onChange }: FilesFieldProps) {
  const { t } = useTranslation('predictions')
  const { upload } = useItemKind()
  const folder = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const add = (more: Iterable<IncomingFile>) => onChange(withFiles(files, [...more]))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void filesOfDrop(event.dataTransfer).then(add, notifyError)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const size_bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  return (
    <Stack gap="xs">
      <Stack
        className={classes.field}
        data-over={isOver || undefined}
        align="center"
        gap="xs"
        role="group"
        aria-label={t('form.source_of.files')}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconCloudUpload size={32} stroke={1.2} aria-hidden />
        <Text size="sm" fw={600}>
          {t('files.drop')}
        </Text>
        <Text size="xs" c="dimmed" ta="center">
          {t('files.help')}
        </Text>
        <Group gap="xs">
          <FileButton multiple accept={upload.accept} onChange={(chosen) => add(filesOfInput(chosen))}>
            {(props) => (
              <Button {...props} variant="default" size="xs" leftSection={<upload.Icon size={14} />}>
                {t('data:drop.files')}
              </Button>
            )}
          </FileButton>
          {upload.hasFolders && (
            <Button variant="default" size="xs" leftSection={<IconFolder size={14} />} onClick={() => folder.current?.click()}>
              {t('data:drop.folder')}
            </Button>
          )}
          <input
            ref={folder}
            type="file"
            hidden
            multiple
            aria-label={t('data:drop.folder')}
            {...{ webkitdirectory: '' }}
            onChange={(event) => {
              if (event.target.files) add(filesOfInput(event.target.files))
              event.target.value = ''
            }}
          />
        </Group>
      </Stack>
      {files.length > 0 && (
        <>
          <Group justify="space-between" gap="xs">
            <Text size="sm" aria-live="polite">
              {t('files.chosen', { count: files.length, number: formatNumber(files.length), size: formatBytes(size_bytes) })}
            </Text>
            <Button variant="subtle" size="compact-xs" onClick={() => onChange([])}>
              {t('files.clear')}
            </Button>
          </Group>
          {files.slice(0, MOST_SHOWN).map((one) => (
            <FileLine key={one.path} file={one} onRemove={() => onChange(files.filter((each) => each !== one))} />
          ))}
          {files.length > MOST_SHOWN && (
            <Text size="xs" c="dimmed">
              {t('files.more', { count: files.length - MOST_SHOWN })}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}

function FileLine({ file: { file, path }, onRemove }: { file: IncomingFile; onRemove: () => void }) {
  const { t } = useTranslation('predictions')
  const words = t('files.remove', { name: path })
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs" truncate flex={1}>
        {path}
      </Text>
      <Text size="xs" c="dimmed">
        {formatBytes(file.size)}
      </Text>
      <Tooltip label={words}>
        <ActionIcon size="sm" aria-label={words} onClick={onRemove}>
          <IconX size={12} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
