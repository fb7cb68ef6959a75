import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { useProject } from '../../../lib/project/project'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { ProblemList } from '../../../ui/problem-list'
import { type CreatedVersion, useCreateVersion, useProblems } from '../api/create-version'
import { DEFAULT_SHARES } from '../model/shares'
import { ShareSliders } from './share-sliders'

interface NewVersionDialogProps {
  project: string
  onClose: () => void
}

/** Freezes what is annotated. Says before what stands in the way, and what the split will be. */
export function NewVersionDialog({ project, onClose }: NewVersionDialogProps) {
  const { t } = useTranslation('versions')
  const navigate = useNavigate()
  const counts = useProject().data?.counts
  const problems = useProblems(project)
  const create = useCreateVersion()
  const [note, setNote] = useState('')
  const [shares, setShares] = useState(DEFAULT_SHARES)
  const numItems = counts?.annotated ?? 0
  const isFirst = counts?.versions === 0
  const found = problems.data?.items ?? []
  const blocking = found.filter((problem) => problem.severity === 'blocking')

  const onCreated = (created: CreatedVersion) => {
    onClose()
    if (created.kind === 'job') {
      notifyDone(t('dialog.in_background'))
      return
    }
    const { number, id } = created.version
    notifyDone(t(created.kind === 'new' ? 'dialog.made' : 'dialog.same', { number }))
    void navigate(`/projects/${project}/versions/${id}`)
  }
  return (
    <Modal opened onClose={onClose} title={t('dialog.title')} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ project, note: note.trim(), shares: isFirst ? shares : null }, { onSuccess: onCreated })
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {t('dialog.text')}
          </Text>
          {problems.isPending && <LoadingState rows={1} height={64} />}
          {problems.isError && <ErrorState error={problems.error} onRetry={() => void problems.refetch()} />}
          <ProblemList isBlocking title={t('dialog.blocked')} problems={blocking} />
          <ProblemList
            isBlocking={false}
            title={t('dialog.advisory')}
            problems={found.filter((problem) => problem.severity === 'advisory')}
          />
          {isFirst && numItems > 0 && <ShareSliders project={project} shares={shares} onChange={setShares} />}
          <Textarea
            label={t('note')}
            placeholder={t('dialog.note_placeholder')}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {create.isError && <ErrorState error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!problems.isSuccess || blocking.length > 0 || numItems === 0}>
              {numItems === 0 ? t('dialog.nothing') : t('dialog.submit', { count: numItems })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
