import { Button, FileButton, Group, Loader, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCloudUpload, IconFolder, IconPhoto, IconWorldDownload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../lib/format'
import { useProject } from '../../../lib/project/project'
import { useTask } from '../../../lib/project/task'
import { notifyError } from '../../../ui/notify'
import { useExamples } from '../api/collect'
import { useUploads } from '../api/get-uploads'
import { filesOfDrop, filesOfInput, type IncomingFile, measured } from '../model/incoming'
import { CollectDialog } from './collect-dialog'
import classes from './drop-area.module.css'

interface DropAreaProps {
  /** Whether the field with its buttons is shown; a drop is taken anywhere on the page in any case. */
  isVisible: boolean
  isLarge: boolean
  isDisabled: boolean
  onFiles: (files: IncomingFile[]) => void
  children: ReactNode
}

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Takes pictures, folders and archives that are dropped anywhere on the page, or chosen by button. */
export function DropArea({ isVisible, isLarge, isDisabled, onFiles, children }: DropAreaProps) {
  const { t } = useTranslation('data')
  const [isOver, setOver] = useState(false)
  const [reading, setReading] = useState<{ done: number; all: number } | null>(null)
  // Entering a child fires before leaving its parent: only a count tells when the pointer has left for good.
  const depth = useRef(0)

  const enter = (step: 1 | -1) => (event: DragEvent) => {
    if (isDisabled || !hasFiles(event)) return
    depth.current += step
    setOver(depth.current > 0)
  }
  const take = (coming: IncomingFile[] | Promise<IncomingFile[]>) => {
    setReading({ done: 0, all: 0 })
    Promise.resolve(coming)
      .then((files) => measured(files, (done) => setReading({ done, all: files.length })))
      .then(onFiles, notifyError)
      .finally(() => setReading(null))
  }
  const drop = (event: DragEvent) => {
    if (isDisabled || !hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    take(filesOfDrop(event.dataTransfer))
  }

  return (
    <div
      className={classes.page}
      data-over={isOver || undefined}
      onDragEnter={enter(1)}
      onDragLeave={enter(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={drop}
    >
      {isOver && (
        <div className={classes.overlay}>
          <Text className={classes.words} fw={600}>
            {t('drop.release')}
          </Text>
        </div>
      )}
      {reading && (
        <Group gap="xs" mb="md" role="status">
          <Loader size="xs" />
          <Text size="sm">
            {reading.done > 0
              ? t('drop.reading_files', { done: formatNumber(reading.done), all: formatNumber(reading.all) })
              : t('drop.reading')}
          </Text>
        </Group>
      )}
      {isVisible && <Field isLarge={isLarge} isBusy={reading !== null} onFiles={take} />}
      {children}
    </div>
  )
}

interface FieldProps {
  isLarge: boolean
  isBusy: boolean
  onFiles: (files: IncomingFile[]) => void
}

function Field({ isLarge, isBusy, onFiles }: FieldProps) {
  const { t } = useTranslation('data')
  const folder = useRef<HTMLInputElement>(null)
  const dataset = useProject().data?.dataset
  const hasExamples = useTask().data?.has_examples
  const examples = useExamples(dataset ?? '')
  const isImporting = useUploads(dataset ?? '').data?.pages[0]?.items.some(({ state }) => state === 'ingesting')
  const [isCollecting, collecting] = useDisclosure(false)
  return (
    <Stack className={classes.field} mih={isLarge ? 320 : 180} align="center" justify="center" gap="xs" mb="md">
      <IconCloudUpload size={40} stroke={1.2} aria-hidden />
      <Text fw={600}>{t('drop.title')}</Text>
      <Text size="sm" c="dimmed" ta="center" maw={520}>
        {t('drop.text')}
      </Text>
      <Group gap="xs" mt={4}>
        <FileButton multiple accept="image/*,.zip,.tar,.tgz,.gz,.bz2,.xz,.csv" onChange={(files) => onFiles(filesOfInput(files))}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconPhoto size={16} />} disabled={isBusy}>
              {t('drop.files')}
            </Button>
          )}
        </FileButton>
        <Button variant="default" leftSection={<IconFolder size={16} />} disabled={isBusy} onClick={() => folder.current?.click()}>
          {t('drop.folder')}
        </Button>
        <Button variant="default" leftSection={<IconWorldDownload size={16} />} onClick={collecting.open}>
          {t('collect:open')}
        </Button>
        <input
          ref={folder}
          type="file"
          hidden
          multiple
          aria-label={t('drop.folder')}
          {...{ webkitdirectory: '' }}
          onChange={(event) => {
            if (event.target.files) onFiles(filesOfInput(event.target.files))
            event.target.value = ''
          }}
        />
      </Group>
      {isLarge && dataset && hasExamples && !isImporting && (
        <Button variant="subtle" loading={examples.isPending} onClick={() => examples.mutate()}>
          {t('drop.examples')}
        </Button>
      )}
      {dataset && <CollectDialog dataset={dataset} opened={isCollecting} onClose={collecting.close} />}
    </Stack>
  )
}
