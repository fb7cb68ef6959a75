import { ActionIcon, Button, Group, Paper, Progress, Stack, Switch, Text, Tooltip } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowForwardUp, IconKeyboard, IconTags } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { useKeyHints, useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { useSummary } from '../../../lib/dataset/summary'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { notifyError } from '../../../ui/notify'
import { PageHeader } from '../../../ui/page-header'
import { ShortcutsDialog } from '../../../ui/shortcuts/shortcuts-dialog'
import { useChangeLabels } from '../api/change-labels'
import { useSuggestions } from '../api/suggestions'
import { useEditor } from '../api/use-editor'
import { withNewLabels } from '../../../lib/labels/label-colors'
import { labelsOf, ofLabels } from '../model/said'
import { ClassPicker } from './class-picker'
import { ConflictDialog } from './conflict-dialog'
import { DoneState } from './done-state'
import classes from './editor-view.module.css'
import { ItemFacts } from './item-facts'
import { SaveState } from './save-state'
import { Stage } from './stage'
import { Suggestions } from './suggestions'

interface EditorViewProps {
  project: Project
  person: string
  list: readonly string[] | null
  first: string | null
}

/** Picture, labels, keys. */
export function EditorView({ project, person, list, first }: EditorViewProps) {
  const { t } = useTranslation('labelling')
  const { editor, autosave, state, saving } = useEditor(project, person, list, first)
  const canLabel = useHasRole('labeller')
  const canChangeLabels = useHasRole('engineer')
  const changeLabels = useChangeLabels(project.id)
  const [isHelpOpen, help] = useDisclosure()
  const [goesOn, setGoesOn] = useLocalStorage({ key: 'modelyard.labelling-goes-on', defaultValue: true })
  const search = useRef<HTMLInputElement>(null)
  const suggestions = useSuggestions(state.item?.id).data ?? []
  const takesSeveral = project.task_options.labels === 'several'
  const labels = project.label_set.labels

  const pick = (label: string) => {
    if (!canLabel || !state.item) return
    editor.pick(label)
    if (!takesSeveral && goesOn) editor.next()
  }
  const accept = () => {
    const names = labelsOf(suggestions).filter((name) => labels.some((label) => label.name === name))
    if (!canLabel || !names.length) return
    editor.accept(ofLabels(takesSeveral ? names : names.slice(0, 1)))
    if (goesOn) editor.next()
  }
  // Whoever adds a label while labelling means the picture before them.
  const add = (name: string) => {
    const item = state.item?.id
    const pickHere = () => item !== undefined && item === editor.state().item?.id && pick(name)
    changeLabels.mutate({ kind: 'set', labels: withNewLabels(labels, [name]) }, { onSuccess: pickHere, onError: notifyError })
  }
  const hint = useKeyHints('labelling')
  useShortcuts('labelling', {
    ...Object.fromEntries(labels.slice(0, 9).map(({ name }, index) => [`label_${index + 1}`, () => pick(name)])),
    accept: () => (suggestions.length ? accept() : editor.next()),
    nothing: () => canLabel && takesSeveral && editor.pickNothing(),
    clear: () => canLabel && editor.clear(),
    next: () => editor.next(),
    previous: () => editor.previous(),
    undo: () => editor.undo(),
    redo: () => editor.redo(),
    search: () => search.current?.focus(),
    help: help.toggle,
  })

  return (
    <div className={classes.page}>
      <PageHeader
        title={t('title')}
        subtitle={<LabelProgress dataset={project.dataset} />}
        actions={
          <>
            <SaveState state={saving} />
            <IconAction
              label={t('keys.undo')}
              hint={hint('undo')}
              isDisabled={!state.canUndo}
              onClick={() => editor.undo()}
              icon={<IconArrowBackUp size={18} />}
            />
            <IconAction
              label={t('keys.redo')}
              hint={hint('redo')}
              isDisabled={!state.canRedo}
              onClick={() => editor.redo()}
              icon={<IconArrowForwardUp size={18} />}
            />
            <IconAction label={t('keys.open')} hint={hint('help')} onClick={help.open} icon={<IconKeyboard size={18} />} />
            {canChangeLabels && (
              <Button
                variant="default"
                component={Link}
                to={`/projects/${project.id}/labelling/labels`}
                leftSection={<IconTags size={14} />}
              >
                {t('edit_labels')}
              </Button>
            )}
          </>
        }
      />
      {state.error != null && <ErrorState error={state.error} onRetry={() => void editor.retry()} />}
      {state.isDone ? (
        <DoneState project={project} hasVisited={state.num_items > 0} onBack={() => editor.previous()} />
      ) : (
        <div className={classes.body}>
          <Stage item={state.item} />
          <Paper className={classes.side}>
            <Stack gap="md" h="100%">
              <ItemFacts item={state.item} said={state.said} />
              <Suggestions suggestions={suggestions} isDisabled={!canLabel} onAccept={accept} />
              <ClassPicker
                labels={labels}
                chosen={labelsOf(state.said)}
                takesSeveral={takesSeveral}
                isDisabled={!canLabel || !state.item}
                searchRef={search}
                onPick={pick}
                onAdd={canChangeLabels ? add : undefined}
              />
              <Group mt="auto" justify="space-between" wrap="nowrap">
                <Button variant="default" disabled={state.index === 0} onClick={() => editor.previous()}>
                  ← {t('previous')}
                </Button>
                <Button onClick={() => editor.next()} disabled={!state.item}>
                  {t('next')} →
                </Button>
              </Group>
              {!takesSeveral && (
                <Switch size="xs" label={t('goes_on')} checked={goesOn} onChange={(event) => setGoesOn(event.currentTarget.checked)} />
              )}
            </Stack>
          </Paper>
        </div>
      )}
      <ShortcutsDialog scope="labelling" opened={isHelpOpen} onClose={help.close} />
      {saving.conflict && (
        <ConflictDialog conflict={saving.conflict} onResolve={(choice) => void autosave.resolve(saving.conflict?.item ?? '', choice)} />
      )}
    </div>
  )
}

function LabelProgress({ dataset }: { dataset: string }) {
  const { t } = useTranslation('labelling')
  const { annotated = 0, items = 0 } = useSummary(dataset).data ?? {}
  return (
    <Group gap="sm" wrap="nowrap">
      <Progress w={180} size="sm" value={items ? (100 * annotated) / items : 0} aria-label={t('progress', { annotated, items })} />
      <Text span inherit>
        {t('progress', { annotated, items })}
      </Text>
    </Group>
  )
}

interface IconActionProps {
  label: string
  hint?: string
  icon: React.ReactNode
  isDisabled?: boolean
  onClick: () => void
}

function IconAction({ label, hint, icon, isDisabled, onClick }: IconActionProps) {
  return (
    <Tooltip label={hint ? `${label} (${hint})` : label}>
      <ActionIcon aria-label={label} disabled={isDisabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
