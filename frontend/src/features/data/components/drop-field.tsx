import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconCloudUpload,
  IconDatabase,
  IconFileText,
  IconFolder,
  IconPencilPlus,
  IconPhoto,
  IconTable,
  IconWorldDownload,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useProject } from '../../../lib/project/project'
import { useTask } from '../../../lib/project/task'
import { useExamples } from '../api/collect'
import { useUploads } from '../api/get-uploads'
import { filesOfInput, type IncomingFile } from '../model/incoming'
import { CollectDialog } from './collect-dialog'
import { DatabaseDialog } from './database-dialog'
import classes from './drop-area.module.css'
import { PasteDialog } from './paste-dialog'

const ARCHIVES = '.zip,.tar,.tgz,.gz,.bz2,.xz'
const ACCEPTED = {
  image: `image/*,${ARCHIVES},.csv`,
  table: `.csv,.tsv,.xlsx,.parquet,.jsonl,.ndjson,${ARCHIVES}`,
  text: `.txt,.text,.md,.csv,.tsv,.xlsx,.parquet,.jsonl,.ndjson,${ARCHIVES}`,
}

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
  const isText = task?.modality === 'text'
  const isTable = task?.modality === 'tabular'
  const FileIcon = isTable ? IconTable : isText ? IconFileText : IconPhoto
  const examples = useExamples(dataset ?? '')
  const isImporting = useUploads(dataset ?? '').data?.pages[0]?.items.some(({ state }) => state === 'ingesting')
  const [isCollecting, collecting] = useDisclosure(false)
  const [isPasting, pasting] = useDisclosure(false)
  const [isAsking, asking] = useDisclosure(false)
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
          accept={ACCEPTED[isTable ? 'table' : isText ? 'text' : 'image']}
          onChange={(files) => onFiles(filesOfInput(files))}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<FileIcon size={16} />} disabled={isBusy}>
              {t('drop.files')}
            </Button>
          )}
        </FileButton>
        {!isTable && (
          <Button variant="default" leftSection={<IconFolder size={16} />} disabled={isBusy} onClick={() => folder.current?.click()}>
            {t('drop.folder')}
          </Button>
        )}
        {isText && (
          <Button variant="default" leftSection={<IconPencilPlus size={16} />} disabled={isBusy} onClick={pasting.open}>
            {t('paste.open')}
          </Button>
        )}
        {isTable && (
          <Button variant="default" leftSection={<IconDatabase size={16} />} onClick={asking.open}>
            {t('collect:database.open')}
          </Button>
        )}
        {task && (
          <Button variant="default" leftSection={<IconWorldDownload size={16} />} onClick={collecting.open}>
            {t('collect:open')}
          </Button>
        )}
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
      {isLarge && dataset && task?.has_examples && !isImporting && (
        <Button variant="subtle" loading={examples.isPending} onClick={() => examples.mutate()}>
          {t('drop.examples')}
        </Button>
      )}
      {dataset && task && <CollectDialog dataset={dataset} modality={task.modality} opened={isCollecting} onClose={collecting.close} />}
      {dataset && isTable && <DatabaseDialog dataset={dataset} opened={isAsking} onClose={asking.close} />}
      {isText && <PasteDialog opened={isPasting} onClose={pasting.close} onTexts={onFiles} />}
    </Stack>
  )
}
