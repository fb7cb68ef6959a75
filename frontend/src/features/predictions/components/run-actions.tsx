import { Button, Group, Menu, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { useAnswerKind } from '../../../answers'
import { afterMutation } from '../../../lib/after-mutation'
import { useHasRole } from '../../../lib/session/session'
import { confirm } from '../../../ui/confirm'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { useAgain, useCancelPrediction, useDelete, useMadeFile, useResume } from '../api/change-prediction'
import { useModelChoices } from '../../../lib/project/choices'
import type { Run } from '../api/types'
import { canResume, isGoingOn, isRunning } from '../model/run-state'
import { ModelField } from './model-field'

/** Download, cancel or go on, run again with another model, delete. */
export function RunActions({ run }: { run: Run }) {
  const { t } = useTranslation('predictions')
  const canChange = useHasRole('labeller')
  return (
    <>
      {run.artefact && run.num_results > 0 && <DownloadMenu prediction={run.id} keepsScores={run.artefact.keeps_scores} />}
      {canChange && <Changes run={run} label={t('again.open')} />}
    </>
  )
}

function Changes({ run, label }: { run: Run; label: string }) {
  const { t } = useTranslation('predictions')
  const [isOpen, dialog] = useDisclosure()
  const cancel = useCancelPrediction(run.id)
  const resume = useResume(run.id)
  return (
    <>
      {isRunning(run) && (
        <Button variant="default" disabled={run.job?.is_stopping === true} loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('cancel')}
        </Button>
      )}
      {canResume(run) && (
        <Button loading={resume.isPending} onClick={() => resume.mutate()}>
          {t('resume')}
        </Button>
      )}
      <Button variant="default" onClick={dialog.open}>
        {label}
      </Button>
      {!isGoingOn(run) && <DeleteButton run={run} />}
      {isOpen && <AgainDialog run={run} onClose={dialog.close} />}
    </>
  )
}

function DeleteButton({ run }: { run: Run }) {
  const { t } = useTranslation('predictions')
  const navigate = useNavigate()
  const remove = useDelete(run.id)
  const ask = () =>
    confirm({
      title: t('delete.title'),
      children: t('delete.text'),
      confirm: t('delete.confirm'),
      isDangerous: true,
      onConfirm: () =>
        afterMutation(remove.mutateAsync(), () => {
          notifyDone(t('delete.done'))
          void navigate(`/projects/${run.project}/predictions`)
        }),
    })
  return (
    <Button variant="default" c="red" loading={remove.isPending} onClick={ask}>
      {t('delete.confirm')}
    </Button>
  )
}

const FORMATS = ['csv', 'jsonl', 'parquet'] as const

interface DownloadMenuProps {
  prediction: string
  /** Whether the files hold the score of every label; null where answers have none. */
  keepsScores: boolean | null
}

function DownloadMenu({ prediction, keepsScores }: DownloadMenuProps) {
  const { t } = useTranslation('predictions')
  const { downloads } = useAnswerKind()
  const made = useMadeFile()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={made.isPending}
          leftSection={<IconDownload size={16} />}
          rightSection={<IconChevronDown size={14} />}
        >
          {t('download.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) => (
          <Menu.Item key={format} component="a" href={`/api/predictions/${prediction}/download?format=${format}`} download>
            <Text size="sm">{t(`download.${format}`)}</Text>
            <Text size="xs" c="dimmed">
              {t(`download.${format}_help`)}
            </Text>
          </Menu.Item>
        ))}
        {downloads?.map(({ key, href }) => (
          <Menu.Item key={key} onClick={() => made.mutate(href(prediction))}>
            <Text size="sm">{t(`download.${key}`)}</Text>
            <Text size="xs" c="dimmed">
              {t(`download.${key}_help`)}
            </Text>
          </Menu.Item>
        ))}
        {keepsScores !== null && <Menu.Label maw={260}>{t(keepsScores ? 'download.scores_all' : 'download.scores_predicted')}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The same data once more, with another model or the same. */
function AgainDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const { t } = useTranslation('predictions')
  const navigate = useNavigate()
  const models = useModelChoices(run.project)
  const again = useAgain(run.id)
  const [chosen, setChosen] = useState<string | null>(null)
  const other = models.data?.find(({ id }) => id !== run.artefact?.id) ?? models.data?.[0]
  const artefact = chosen ?? other?.id ?? ''
  return (
    <Modal opened onClose={onClose} title={t('again.title')} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          again.mutate(artefact, {
            onSuccess: ({ id }) => {
              onClose()
              void navigate(`/projects/${run.project}/predictions/${id}`)
            },
          })
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {t(`again.text.${run.source}`)}
          </Text>
          {models.isPending && <LoadingState rows={3} height={48} />}
          {models.isLoadingError && <ErrorState error={models.error} onRetry={() => void models.refetch()} />}
          {models.data && <ModelField models={models.data} value={artefact} onChange={setChosen} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" disabled={!artefact} loading={again.isPending}>
              {t('form.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
