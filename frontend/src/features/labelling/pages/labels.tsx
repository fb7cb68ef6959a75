import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { IconArrowLeft, IconTags } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Label, Project } from '../../../lib/api/types'
import { useSummary } from '../../../lib/dataset/summary'
import { useProject } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { notifyError } from '../../../ui/notify'
import { PageHeader } from '../../../ui/page-header'
import { useChangeLabels } from '../api/change-labels'
import { LabelRow } from '../components/label-row'
import { withNewLabels } from '../../../lib/labels/label-colors'

/** The label set: its names, colours and order. The order is that of the number keys and of a model's outputs. */
export function Component() {
  const { t } = useTranslation('labelling')
  const project = useProject().data
  return project ? <Labels project={project} /> : <PageHeader title={t('labels.title')} />
}

function Labels({ project }: { project: Project }) {
  const { t } = useTranslation('labelling')
  const canChange = useHasRole('engineer')
  const change = useChangeLabels(project.id)
  const byLabel = useSummary(project.dataset).data?.by_label
  const labels = project.label_set.labels
  const set = (next: Label[]) => change.mutate({ kind: 'set', labels: next }, { onError: notifyError })
  const move = (index: number, step: -1 | 1) => {
    const next = [...labels]
    const [moved] = next.splice(index, 1)
    if (!moved) return
    next.splice(index + step, 0, moved)
    set(next)
  }
  return (
    <Stack gap={0} maw={720}>
      <PageHeader
        title={t('labels.title')}
        subtitle={t('labels.subtitle')}
        actions={
          <Button variant="default" component={Link} to={`/projects/${project.id}/labelling`} leftSection={<IconArrowLeft size={14} />}>
            {t('labels.back')}
          </Button>
        }
      />
      {canChange && <NewLabel labels={labels} isBusy={change.isPending} onAdd={(name) => set(withNewLabels(labels, [name]))} />}
      {labels.length === 0 ? (
        <EmptyState icon={<IconTags size={40} stroke={1.2} />} title={t('labels.empty')}>
          {t('labels.empty_text')}
        </EmptyState>
      ) : (
        <Paper p={0}>
          {labels.map((label, index) => (
            <LabelRow
              key={label.name}
              label={label}
              index={index}
              isLast={index === labels.length - 1}
              count={byLabel && (byLabel[label.name] ?? 0)}
              isDisabled={!canChange || change.isPending}
              onRename={(to, undo) => {
                const refuse = (error: unknown) => {
                  undo()
                  notifyError(error)
                }
                change.mutate({ kind: 'rename', from: label.name, to }, { onError: refuse })
              }}
              onRecolor={(color) => set(labels.map((one) => (one.name === label.name ? { ...one, color } : one)))}
              onMove={(step) => move(index, step)}
              onRemove={() => set(labels.filter((one) => one.name !== label.name))}
            />
          ))}
        </Paper>
      )}
    </Stack>
  )
}

interface NewLabelProps {
  labels: readonly Label[]
  isBusy: boolean
  onAdd: (name: string) => void
}

function NewLabel({ labels, isBusy, onAdd }: NewLabelProps) {
  const { t } = useTranslation('labelling')
  const [text, setText] = useState('')
  const name = text.trim()
  const isTaken = labels.some((label) => label.name === name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!name || isTaken) return
    onAdd(name)
    setText('')
  }
  return (
    <form onSubmit={submit}>
      <Group gap="xs" mb="md" align="flex-start">
        <TextInput
          flex={1}
          autoFocus
          aria-label={t('labels.new')}
          placeholder={t('labels.new')}
          value={text}
          error={isTaken && t('labels.taken')}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button size="sm" type="submit" disabled={!name || isTaken} loading={isBusy}>
          {t('labels.add')}
        </Button>
      </Group>
    </form>
  )
}
