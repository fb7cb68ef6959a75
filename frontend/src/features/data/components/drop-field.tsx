import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCloudUpload, IconDatabase, IconFolder, IconPencilPlus, IconWorldDownload } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import { useProject } from '../../../lib/project/project'
import { useTask } from '../../../lib/project/task'
import { filesOfInput, type IncomingFile } from '../../../lib/upload/incoming'
import { useExamples } from '../api/collect'
import { useUploads } from '../api/get-uploads'
import { CollectDialog } from './collect-dialog'
import { DatabaseDialog } from './database-dialog'
import classes from './drop-area.module.css'
import { PasteDialog } from './paste-dialog'
import { UploadHelp } from './upload-help'

interface DropFieldProps {
  isLarge: boolean
  isBusy: boolean
  onFiles: (files: IncomingFile[]) => void
}

/** The field for files with its buttons: choosing them, and the other ways in that the project's kind of items has. */
export function DropField({ isLarge, isBusy, onFiles }: DropFieldProps) {
  const { t } = useTranslation('data')
  const folder = useRef<HTMLInputElement>(null)
  const dataset = useProject().data?.dataset
  const task = useTask().data
  const { upload } = useItemKind()
  const [canPaste, canQuery] = [upload.dialogs.includes('paste'), upload.dialogs.includes('database')]
  const examples = useExamples(dataset ?? '')
  const isImporting = useUploads(dataset ?? '').data?.pages[0]?.items.some(({ state }) => state === 'ingesting')
  const [isCollecting, collecting] = useDisclosure(false)
  const [isPasting, pasting] = useDisclosure(false)
  const [isAsking, asking] = useDisclosure(false)
  return (
    <Stack className={classes.field} mih={isLarge ? 320 : 180} align="center" justify="center" gap="xs" mb="md">
      <IconCloudUpload size={40} stroke={1.2} aria-hidden />
      <Text fw={600}>{t('drop.title')}</Text>
      <Text size="sm" c="dimmed" ta="center" maw={560}>
        {t('drop.text')}
      </Text>
      <Group gap="xs" mt={4} justify="center">
        <FileButton multiple accept={upload.accept} onChange={(files) => onFiles(filesOfInput(files))}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<upload.Icon size={16} />} disabled={isBusy}>
              {t('drop.files')}
            </Button>
          )}
        </FileButton>
        {upload.hasFolders && (
          <Button variant="default" leftSection={<IconFolder size={16} />} disabled={isBusy} onClick={() => folder.current?.click()}>
            {t('drop.folder')}
          </Button>
        )}
        {canPaste && (
          <Button variant="default" leftSection={<IconPencilPlus size={16} />} disabled={isBusy} onClick={pasting.open}>
            {t('paste.open')}
          </Button>
        )}
        {canQuery && (
          <Button variant="default" leftSection={<IconDatabase size={16} />} onClick={asking.open}>
            {t('collect:database.open')}
          </Button>
        )}
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
      {task && <UploadHelp examples={task.upload_help} />}
      {isLarge && dataset && task?.has_examples && !isImporting && (
        <Button variant="subtle" loading={examples.isPending} onClick={() => examples.mutate()}>
          {t('drop.examples')}
        </Button>
      )}
      {dataset && <CollectDialog dataset={dataset} opened={isCollecting} onClose={collecting.close} />}
      {dataset && canQuery && <DatabaseDialog dataset={dataset} opened={isAsking} onClose={asking.close} />}
      {canPaste && <PasteDialog opened={isPasting} onClose={pasting.close} onTexts={onFiles} />}
    </Stack>
  )
}
