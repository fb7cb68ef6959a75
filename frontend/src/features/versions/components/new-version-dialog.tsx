import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { useProject } from '../../../lib/project/project'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { ProblemList } from '../../../ui/problem-list'
import { type CreatedVersion, useCreateVersion } from '../api/create-version'
import { useProblems } from '../../../lib/project/problems'
import type { SplitRule } from '../api/types'
import { DEFAULT_SHARES } from '../model/shares'
import { isWhole } from '../model/split-rule'
import { SplitSettings } from './split-settings'

interface NewVersionDialogProps {
  project: string
  onClose: () => void
}

/** Freezes what is annotated. Says before what stands in the way, and what the split will be. */
export function NewVersionDialog({ project, onClose }: NewVersionDialogProps) {
  const { t } = useTranslation('versions')
  const navigate = useNavigate()
  const { data: known, refetch } = useProject()
  const counts = known?.counts
  const problems = useProblems(project)
  const create = useCreateVersion()
  const [note, setNote] = useState('')
  const [shares, setShares] = useState(DEFAULT_SHARES)
  const [rule, setRule] = useState<SplitRule | null>(null)
  // Labels of the last seconds may not have been counted yet where the page keeps the project.
  useEffect(() => void refetch(), [refetch])
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
          create.mutate({ project, note: note.trim(), shares: isFirst ? shares : null, rule }, { onSuccess: onCreated })
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
          {numItems > 0 && (
            <SplitSettings project={project} isFirst={isFirst} shares={shares} onShares={setShares} rule={rule} onRule={setRule} />
          )}
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
            <Button
              type="submit"
              loading={create.isPending}
              disabled={!problems.isSuccess || blocking.length > 0 || numItems === 0 || (rule !== null && !isWhole(rule))}
            >
              {numItems === 0 ? t('dialog.nothing') : t('dialog.submit', { count: numItems })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
