import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconArrowMerge } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Label, Project } from '../../../lib/api/types'
import { useItemKind } from '../../../items'
import { useSummary } from '../../../lib/dataset/summary'
import { withNewLabels } from '../../../lib/labels/label-colors'
import { useSetLabels } from '../../../lib/labels/set-labels'
import { useProject } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import { afterMutation } from '../../../lib/after-mutation'
import { EmptyState } from '../../../ui/empty-state'
import { PageHeader } from '../../../ui/page-header'
import { notifyUndo } from '../../../ui/undo-notice'
import { useStartChange, useUndoChange } from '../api/label-changes'
import { AttributesDialog } from '../components/attributes-dialog'
import { Changes } from '../components/changes'
import { LabelRow } from '../components/label-row'
import { MergeDialog } from '../components/merge-dialog'
import { NewLabel } from '../components/new-label'
import { OverlapRules } from '../components/overlap-rules'
import { ParentDialog } from '../components/parent-dialog'
import { SplitDialog } from '../components/split-dialog'
import { moved, pathOf, withoutLabel } from '../model/tree'

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
  const { labelsFrom } = useItemKind()
  const save = useSetLabels(project.id)
  const start = useStartChange(project.id)
  const undo = useUndoChange(project.id)
  const byLabel = useSummary(project.dataset).data?.by_label
  const labels = project.label_set.labels
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [chosen, setChosen] = useState<string[]>([])
  const [drag, setDrag] = useState<{ to: number; side: 'above' | 'below' } | null>(null)
  const names = chosen.filter((name) => labels.some((label) => label.name === name))

  const change = (name: string, fields: Partial<Label>) =>
    save.mutateAsync((before) => before.map((one) => (one.name === name ? { ...one, ...fields } : one)))
  // Of the dialog that is open as it is drawn: one that was opened meanwhile stays.
  const close = () => setDialog((now) => (now === dialog ? null : now))
  const done = (id: string, message: string) => {
    setChosen([])
    notifyUndo(message, () => undo.mutate(id))
  }
  const rename = (source: string, target: string, putBack: () => void) =>
    afterMutation(
      start.mutateAsync({ kind: 'rename', source, target }),
      ({ change: { id } }) => done(id, t('changes.rename', { from: source, to: target })),
      putBack,
    )

  return (
    <Stack gap="md">
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
        {canChange && (
          <NewLabel labels={labels} isBusy={save.isPending} onAdd={(name) => save.mutateAsync((before) => withNewLabels(before, [name]))} />
        )}
        {labels.length === 0 ? (
          <EmptyState
            drawing="labels"
            title={t('empty')}
            action={
              <Button variant="default" component={Link} to={`/projects/${project.id}/${labelsFrom === 'columns' ? labelsFrom : 'data'}`}>
                {t('to_data')}
              </Button>
            }
          >
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
                total={labels.length}
                count={byLabel && (byLabel[label.name] ?? 0)}
                most={Math.max(1, ...Object.values(byLabel ?? {}))}
                project={project.id}
                canChange={canChange}
                drop={drag?.to === index ? drag.side : undefined}
                isDisabled={!canChange || save.isPending || start.isPending}
                isChosen={names.includes(label.name)}
                onChoose={(is) => setChosen(is ? [...names, label.name] : names.filter((name) => name !== label.name))}
                onRename={(to, putBack) => rename(label.name, to, putBack)}
                onRecolor={(color) => change(label.name, { color })}
                onMove={(step) => save.mutate((before) => moved(before, label.name, step))}
                onDrag={(step) => setDrag(step ? { to: index + step, side: step < 0 ? 'above' : 'below' } : null)}
                onHang={() => setDialog({ kind: 'parent', label })}
                onDescribe={() => setDialog({ kind: 'attributes', label })}
                onSplit={() => setDialog({ kind: 'split', label })}
                onRemove={() => save.mutate((before) => withoutLabel(before, label.name))}
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
      {project.overlap && <OverlapRules project={project} rule={project.overlap} canChange={canChange} />}
      <Changes project={project.id} canUndo={canChange} />
      {dialog?.kind === 'merge' && (
        <MergeDialog
          project={project.id}
          sources={dialog.names}
          onDone={(id) => done(id, t('merge.done', { names: dialog.names.join(', ') }))}
          onClose={close}
        />
      )}
      {dialog?.kind === 'split' && (
        <SplitDialog
          project={project.id}
          dataset={project.dataset}
          source={dialog.label}
          onDone={(id) => done(id, t('split_dialog.done', { name: dialog.label.name }))}
          onClose={close}
        />
      )}
      {dialog?.kind === 'parent' && (
        <ParentDialog
          labels={labels}
          label={dialog.label}
          isBusy={save.isPending}
          onSave={(parent) => change(dialog.label.name, { parent })}
          onClose={close}
        />
      )}
      {dialog?.kind === 'attributes' && (
        <AttributesDialog
          label={dialog.label}
          isBusy={save.isPending}
          onSave={(attributes) => change(dialog.label.name, { attributes })}
          onClose={close}
        />
      )}
    </Stack>
  )
}
