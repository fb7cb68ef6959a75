import { Box, Stack } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { withNewLabels } from '../../../lib/labels/label-colors'
import { useSetLabels } from '../../../lib/labels/set-labels'
import { useModality } from '../../../lib/project/task'
import { useHasRole } from '../../../lib/session/session'
import { useKeyHints, useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { whenDone } from '../../../lib/when-done'
import { CommentsPanel } from '../../../ui/comments/comments-panel'
import { ItemStage } from '../../../ui/item-stage'
import { PictureBody } from '../../../ui/picture-page'
import { ShortcutsDialog } from '../../../ui/shortcuts/shortcuts-dialog'
import { notifyUndo } from '../../../ui/undo-notice'
import { useEvidence } from '../api/evidence'
import { usePresence } from '../api/presence'
import { idOfShared } from '../api/shared-work'
import { useSuggestion } from '../api/suggestions'
import { useEditor, type Work } from '../api/use-editor'
import { batchChanges, type Suggested } from '../model/batch'
import { labelsOf, ofLabels } from '../model/said'
import { AssistPanel } from './assist-panel'
import { BatchDialog } from './batch-dialog'
import { ClassPicker } from './class-picker'
import { EditorFrame } from './editor-frame'
import { EvidenceSwitch } from './evidence-switch'
import { ItemFacts } from './item-facts'
import { PresenceHint } from './presence-hint'
import { StepFoot } from './step-foot'
import { Suggestions } from './suggestions'

/** One label or several for the picture as a whole. */
export function ClassView(work: Work) {
  const { t } = useTranslation('labelling')
  const { project, campaign } = work
  const working = useEditor(work)
  const { editor, autosave, state } = working
  const canLabel = useHasRole('labeller') || campaign !== null
  const canChangeLabels = useHasRole('engineer')
  const setLabels = useSetLabels(project.id)
  const [isHelpOpen, help] = useDisclosure()
  const [isBatchOpen, batch] = useDisclosure()
  const [isHistoryOpen, history] = useDisclosure()
  const [goesOn, setGoesOn] = useLocalStorage({ key: 'modelyard.labelling-goes-on', defaultValue: true })
  const search = useRef<HTMLInputElement>(null)
  // Nothing is computed of rows before a model is trained on them, so there is nothing to suggest from.
  const hasFeatures = useModality() !== 'tabular'
  const takesSeveral = project.task_options.labels === 'several'
  const labels = project.label_set.labels
  const people = usePresence(canLabel && !campaign ? state.item?.id : undefined)
  // Who answers in a campaign answers unaided, so that agreement means something.
  const found = useSuggestion(campaign ? undefined : state.item?.id, state.ahead)
  // Once something is said the suggestion has had its answer.
  const suggestion = state.said === null ? found : null
  const evidence = useEvidence(state.item, suggestion)
  const shown = suggestion && { by: suggestion.by, annotations: suggestion.annotations }

  const pick = (label: string) => {
    if (!canLabel || !state.item) return
    editor.pick(label, shown)
    if (!takesSeveral && goesOn) editor.next()
  }
  const accept = () => {
    const names = labelsOf(suggestion?.annotations ?? null).filter((name) => labels.some((label) => label.name === name))
    if (!canLabel || !names.length) return
    editor.accept(ofLabels(takesSeveral ? names : names.slice(0, 1)), shown)
    if (goesOn) editor.next()
  }
  // Whoever adds a label while labelling means the picture before them.
  const add = (name: string) => {
    const item = state.item?.id
    const added = setLabels.mutateAsync((before) => withNewLabels(before, [name]))
    whenDone(added, () => item !== undefined && item === editor.state().item?.id && pick(name))
    return added
  }
  const acceptMany = (items: Suggested[], label: string) => {
    const { forth, back } = batchChanges(project.id, items, label, takesSeveral)
    autosave.sayAll(forth)
    editor.passOver(items.map(({ item }) => item.id))
    notifyUndo(t('batch.done', { count: items.length, label }), () => autosave.sayAll(back))
  }
  const hint = useKeyHints('labelling')
  useShortcuts('labelling', {
    ...Object.fromEntries(labels.slice(0, 9).map(({ name }, index) => [`label_${index + 1}`, () => pick(name)])),
    accept: () => (suggestion ? accept() : editor.next()),
    nothing: () => canLabel && takesSeveral && editor.pickNothing(shown),
    clear: () => canLabel && editor.clear(),
    next: () => editor.next(),
    previous: () => editor.previous(),
    undo: () => editor.undo(),
    redo: () => editor.redo(),
    evidence: () => evidence.canShow && evidence.toggle(),
    search: () => search.current?.focus(),
    batch: () => canLabel && !campaign && hasFeatures && batch.open(),
    history: () => state.item && !campaign && history.toggle(),
    help: help.toggle,
  })

  return (
    <EditorFrame
      work={work}
      working={working}
      canLabel={canLabel}
      scope="labelling"
      isHistoryOpen={isHistoryOpen}
      history={history}
      onRevert={(said) => editor.accept(said)}
      onUndo={() => editor.undo()}
      onRedo={() => editor.redo()}
      onHelp={help.open}
    >
      <PictureBody
        stage={
          <ItemStage item={state.item} evidence={evidence.evidence}>
            <PresenceHint people={people} />
          </ItemStage>
        }
        foot={<StepFoot editor={editor} state={state} going={takesSeveral ? undefined : { goesOn, onChange: setGoesOn }} />}
      >
        <Stack gap="md" mih="100%">
          <ItemFacts item={state.item} said={state.said} />
          {!campaign && (hasFeatures || suggestion) && (
            <Suggestions
              suggestion={suggestion}
              isDisabled={!canLabel}
              hint={hint('accept')}
              onAccept={accept}
              isExplained={state.item?.text != null}
            >
              <EvidenceSwitch view={evidence} hint={hint('evidence')} />
            </Suggestions>
          )}
          <ClassPicker
            labels={labels}
            chosen={labelsOf(state.said)}
            takesSeveral={takesSeveral}
            isDisabled={!canLabel || !state.item}
            hintOf={(index) => hint(`label_${index + 1}`)}
            searchHint={hint('search')}
            searchRef={search}
            onPick={pick}
            onAdd={canChangeLabels && !campaign ? add : undefined}
          />
          {state.item && <CommentsPanel item={idOfShared(state.item.id)} canWrite={canLabel} scope="labelling" />}
          {!campaign && hasFeatures && (
            <Box mt="auto">
              <AssistPanel project={project.id} item={state.item?.id} canLabel={canLabel} batchHint={hint('batch')} onBatch={batch.open} />
            </Box>
          )}
        </Stack>
      </PictureBody>
      <ShortcutsDialog scope="labelling" opened={isHelpOpen} onClose={help.close} />
      <BatchDialog
        project={project.id}
        labels={labels.map(({ name }) => name)}
        first={labelsOf(suggestion?.annotations ?? state.said)[0] ?? null}
        opened={isBatchOpen}
        onClose={batch.close}
        onAccept={acceptMany}
      />
    </EditorFrame>
  )
}
