import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconArrowMerge, IconTags } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Label, Project } from '../../../lib/api/types'
import { useSummary } from '../../../lib/dataset/summary'
import { withNewLabels } from '../../../lib/labels/label-colors'
import { useProject } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { notifyError } from '../../../ui/notify'
import { PageHeader } from '../../../ui/page-header'
import { notifyUndo } from '../../../ui/undo-notice'
import { useSetLabels, useStartChange, useUndoChange } from '../api/label-changes'
import { AttributesDialog } from '../components/attributes-dialog'
import { Changes } from '../components/changes'
import { LabelRow } from '../components/label-row'
import { MergeDialog } from '../components/merge-dialog'
import { NewLabel } from '../components/new-label'
import { ParentDialog } from '../components/parent-dialog'
import { SplitDialog } from '../components/split-dialog'
import { pathOf, withoutLabel } from '../model/tree'

/** The label set: names, colours, order, tree and attributes. The order is that of the number keys and of a model's outputs. */
export function Component() {
  const { t } = useTranslation('labels')
  const project = useProject().data
  return project ? <Labels project={project} /> : <PageHeader title={t('title')} />
}

type Dialog = { kind: 'merge'; names: string[] } | { kind: 'split' | 'parent' | 'attributes'; label: Label }

function Labels({ project }: { project: Project }) {
  const { t } = useTranslation('labels')
  const canChange = useHasRole('engineer')
  const save = useSetLabels(project.id)
  const start = useStartChange(project.id)
  const undo = useUndoChange(project.id)
  const byLabel = useSummary(project.dataset).data?.by_label
  const labels = project.label_set.labels
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [chosen, setChosen] = useState<string[]>([])
  const names = chosen.filter((name) => labels.some((label) => label.name === name))

  const set = (next: Label[]) => save.mutate(next, { onError: notifyError })
  const change = (name: string, fields: Partial<Label>) => set(labels.map((one) => (one.name === name ? { ...one, ...fields } : one)))
  const move = (index: number, step: -1 | 1) => {
    const next = [...labels]
    const [moved] = next.splice(index, 1)
    if (!moved) return
    next.splice(index + step, 0, moved)
    set(next)
  }
  const done = (id: string, message: string) => {
    setChosen([])
    notifyUndo(message, () => undo.mutate(id, { onError: notifyError }))
  }
  const rename = (source: string, target: string, putBack: () => void) =>
    start.mutate(
      { kind: 'rename', source, target },
      {
        onError: (error) => {
          putBack()
          notifyError(error)
        },
        onSuccess: ({ change: { id } }) => done(id, t('changes.rename', { from: source, to: target })),
      },
    )

  return (
    <Stack gap="md" maw={860}>
      <div>
        <PageHeader
          title={t('title')}
          subtitle={t('subtitle')}
          actions={
            <Button variant="default" component={Link} to={`/projects/${project.id}/labelling`} leftSection={<IconArrowLeft size={14} />}>
              {t('back')}
            </Button>
          }
        />
        {canChange && <NewLabel labels={labels} isBusy={save.isPending} onAdd={(name) => set(withNewLabels(labels, [name]))} />}
        {labels.length === 0 ? (
          <EmptyState icon={<IconTags size={40} stroke={1.2} />} title={t('empty')}>
            {t('empty_text')}
          </EmptyState>
        ) : (
          <Paper p={0}>
            {labels.map((label, index) => (
              <LabelRow
                key={label.name}
                label={label}
                path={pathOf(labels, label.name)}
                index={index}
                isLast={index === labels.length - 1}
                count={byLabel && (byLabel[label.name] ?? 0)}
                isDisabled={!canChange || save.isPending || start.isPending}
                isChosen={names.includes(label.name)}
                onChoose={(is) => setChosen(is ? [...names, label.name] : names.filter((name) => name !== label.name))}
                onRename={(to, putBack) => rename(label.name, to, putBack)}
                onRecolor={(color) => change(label.name, { color })}
                onMove={(step) => move(index, step)}
                onHang={() => setDialog({ kind: 'parent', label })}
                onDescribe={() => setDialog({ kind: 'attributes', label })}
                onSplit={() => setDialog({ kind: 'split', label })}
                onRemove={() => set(withoutLabel(labels, label.name))}
              />
            ))}
          </Paper>
        )}
        {names.length > 1 && (
          <Group mt="sm" gap="sm">
            <Text size="sm">{t('chosen', { count: names.length })}</Text>
            <Button leftSection={<IconArrowMerge size={15} />} onClick={() => setDialog({ kind: 'merge', names })}>
              {t('merge.open')}
            </Button>
          </Group>
        )}
      </div>
      <Changes project={project.id} canUndo={canChange} />
      {dialog?.kind === 'merge' && (
        <MergeDialog
          project={project.id}
          sources={dialog.names}
          onDone={(id) => done(id, t('merge.done', { names: dialog.names.join(', ') }))}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'split' && (
        <SplitDialog
          project={project.id}
          source={dialog.label.name}
          onDone={(id) => done(id, t('split_dialog.done', { name: dialog.label.name }))}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'parent' && (
        <ParentDialog
          labels={labels}
          label={dialog.label}
          onSave={(parent) => change(dialog.label.name, { parent })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'attributes' && (
        <AttributesDialog
          label={dialog.label}
          onSave={(attributes) => change(dialog.label.name, { attributes })}
          onClose={() => setDialog(null)}
        />
      )}
    </Stack>
  )
}
