import { Button, FileButton, Group, Loader, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCloudUpload, IconFolder, IconPhoto, IconWorldDownload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useProject } from '../../../lib/project/project'
import { notifyError } from '../../../ui/notify'
import { filesOfDrop, filesOfInput, type IncomingFile } from '../model/incoming'
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
  const [isReading, setReading] = useState(false)
  // Entering a child fires before leaving its parent: only a count tells when the pointer has left for good.
  const depth = useRef(0)

  const enter = (step: 1 | -1) => (event: DragEvent) => {
    if (isDisabled || !hasFiles(event)) return
    depth.current += step
    setOver(depth.current > 0)
  }
  const drop = (event: DragEvent) => {
    if (isDisabled || !hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    setReading(true)
    filesOfDrop(event.dataTransfer)
      .then(onFiles, notifyError)
      .finally(() => setReading(false))
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
          <Text fw={600}>{t('drop.release')}</Text>
        </div>
      )}
      {isReading && (
        <Group gap="xs" mb="md" role="status">
          <Loader size="xs" />
          <Text size="sm">{t('drop.reading')}</Text>
        </Group>
      )}
      {isVisible && <Field isLarge={isLarge} onFiles={onFiles} />}
      {children}
    </div>
  )
}

function Field({ isLarge, onFiles }: { isLarge: boolean; onFiles: (files: IncomingFile[]) => void }) {
  const { t } = useTranslation('data')
  const folder = useRef<HTMLInputElement>(null)
  const dataset = useProject().data?.dataset
  const [isCollecting, collecting] = useDisclosure(false)
  return (
    <Stack className={classes.field} mih={isLarge ? 320 : 180} align="center" justify="center" gap="xs" mb="md">
      <IconCloudUpload size={40} stroke={1.2} aria-hidden />
      <Text fw={600}>{t('drop.title')}</Text>
      <Text size="sm" c="dimmed" ta="center" maw={520}>
        {t('drop.text')}
      </Text>
      <Group gap="xs" mt={4}>
        <FileButton
          multiple
          accept="image/*,.zip,.tar,.tgz,.gz,.bz2,.xz,.csv"
          onChange={(files) => onFiles(files.map((file) => ({ file, path: file.name })))}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconPhoto size={16} />}>
              {t('drop.files')}
            </Button>
          )}
        </FileButton>
        <Button variant="default" leftSection={<IconFolder size={16} />} onClick={() => folder.current?.click()}>
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
      {dataset && <CollectDialog dataset={dataset} opened={isCollecting} onClose={collecting.close} />}
    </Stack>
  )
}
