import { Button, FileInput, Group, Modal, Stack, Text } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { formatBytes } from '../../../lib/format'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { Progress } from '../../../ui/progress'
import { useTasks } from '../api/get-projects'
import { type ImportProgress, useImportArchive } from '../api/import-archive'

interface ImportArchiveDialogProps {
  workspace: string
  onClose: () => void
}

/** Makes a project of an archive that another platform wrote. */
export function ImportArchiveDialog({ workspace, onClose }: ImportArchiveDialogProps) {
  const { t } = useTranslation('projects')
  const navigate = useNavigate()
  const task = useTasks().data?.[0]?.name
  const run = useImportArchive()
  const [file, setFile] = useState<File | null>(null)
  const [progress, setProgress] = useState<ImportProgress | null>(null)
  const [abort, setAbort] = useState<AbortController | null>(null)
  const close = () => {
    abort?.abort()
    onClose()
  }
  const start = () => {
    if (!file || !task) return
    const controller = new AbortController()
    setAbort(controller)
    const name = t('archive.waiting_name', { file: file.name }).slice(0, 120)
    run.mutate(
      { workspace, file, name, task, signal: controller.signal, onProgress: setProgress },
      {
        onSuccess: (project) => {
          notifyDone(t('archive.done'))
          void navigate(`/projects/${project}`)
        },
      },
    )
  }
  return (
    <Modal opened onClose={close} title={t('archive.title')} closeOnClickOutside={!run.isPending} size="md">
      <Stack>
        <Text size="sm">{t('archive.text')}</Text>
        <FileInput
          label={t('archive.file')}
          placeholder={t('archive.choose')}
          description={file ? formatBytes(file.size) : undefined}
          accept=".zip,application/zip"
          leftSection={<IconFileZip size={16} />}
          value={file}
          onChange={(next) => {
            setFile(next)
            run.reset()
          }}
          data-autofocus
          disabled={run.isPending}
          clearable
        />
        {run.isPending && progress && <Progress fraction={progress.fraction} label={t(`archive.${progress.stage}`)} />}
        {run.isError && !abort?.signal.aborted && <ErrorState error={run.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('common:cancel')}
          </Button>
          <Button onClick={start} loading={run.isPending} disabled={!file || !task}>
            {t('archive.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
