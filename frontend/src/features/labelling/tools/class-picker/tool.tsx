import { Box, Stack } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { labelsOf, ofLabels } from '../../../../answers/annotations'
import { useItemKind } from '../../../../items'
import { useSummary } from '../../../../lib/dataset/summary'
import { withNewLabels } from '../../../../lib/labels/label-colors'
import { useSetLabels } from '../../../../lib/labels/set-labels'
import { useHasRole } from '../../../../lib/session/session'
import { useKeyHints, useShortcuts } from '../../../../lib/shortcuts/use-shortcuts'
import { afterMutation } from '../../../../lib/after-mutation'
import { CommentsPanel } from '../../../../ui/comments/comments-panel'
import { ItemStage } from '../../../../items/item-stage'
import { PictureBody } from '../../../../ui/picture-page'
import { ShortcutsDialog } from '../../../../ui/shortcuts/shortcuts-dialog'
import { notifyUndo } from '../../../../ui/undo-notice'
import { useEvidence } from '../../api/evidence'
import { idOfShared } from '../../api/shared-work'
import { useSuggestion } from '../../api/suggestions'
import type { Work } from '../../api/use-labelling-session'
import { useLabellingPage } from '../../api/use-labelling-page'
import { batchChanges, type Suggested } from '../../model/batch'
import { AssistPanel } from './assist-panel'
import { BatchDialog } from './batch-dialog'
import { ClassPicker } from './class-picker'
import { EditorFrame } from '../../components/editor-frame'
import { EvidenceSwitch } from './evidence-switch'
import { ItemFacts } from '../../components/item-facts'
import { PresenceHint } from '../../components/presence-hint'
import { StepFoot } from '../../components/step-foot'
import type { LabellingTool } from '../tool'
import { Suggestions } from './suggestions'

/** One label or several for the picture as a whole. */
function Tool(work: Work) {
  const { t } = useTranslation('labelling')
  const { project, campaign } = work
  const page = useLabellingPage(work)
  const { session, autosave, state, canLabel } = page
  const canChangeLabels = useHasRole('engineer')
  const setLabels = useSetLabels(project.id)
  const [isHelpOpen, help] = useDisclosure()
  const [isBatchOpen, batch] = useDisclosure()
  const [goesOn, setGoesOn] = useLocalStorage({ key: 'modelyard.labelling-goes-on', defaultValue: true })
  const search = useRef<HTMLInputElement>(null)
  const { similarity, explained } = useItemKind()
  // Without what is computed of items before a model is trained there is nothing to suggest from.
  const hasFeatures = similarity !== null
  const takesSeveral = project.task_options.labels === 'several'
  const labels = project.label_set.labels
  // Who labels a share sees nothing of the rest.
  const summary = useSummary(campaign ? '' : project.dataset).data
  // Who answers in a campaign answers unaided, so that agreement means something.
  const found = useSuggestion(campaign ? undefined : state.item?.id, state.ahead)
  // Once the item is annotated, the suggestion is answered.
  const suggestion = state.annotations === null ? found : null
  const evidence = useEvidence(state.item, suggestion)
  const shown = suggestion && { by: suggestion.by, annotations: suggestion.annotations }

  const pick = (label: string) => {
    if (!canLabel || !state.item) return
    session.pick(label, shown)
    if (!takesSeveral && goesOn) session.next()
  }
  const accept = () => {
    const names = labelsOf(suggestion?.annotations ?? null).filter((name) => labels.some((label) => label.name === name))
    if (!canLabel || !names.length) return
    session.accept(ofLabels(takesSeveral ? names : names.slice(0, 1)), shown)
    if (goesOn) session.next()
  }
  // Whoever adds a label while labelling means the picture before them.
  const add = (name: string) => {
    const item = state.item?.id
    const added = setLabels.mutateAsync((before) => withNewLabels(before, [name]))
    afterMutation(added, () => item !== undefined && item === session.state().item?.id && pick(name))
    return added
  }
  const acceptMany = (items: Suggested[], label: string) => {
    const { forth, back } = batchChanges(project.id, items, label, takesSeveral)
    autosave.saveAll(forth)
    session.passOver(items.map(({ item }) => item.id))
    notifyUndo(t('batch.done', { count: items.length, label }), () => autosave.saveAll(back))
  }
  const hint = useKeyHints('labelling')
  useShortcuts('labelling', {
    ...Object.fromEntries(labels.slice(0, 9).map(({ name }, index) => [`label_${index + 1}`, () => pick(name)])),
    accept: () => (suggestion ? accept() : session.next()),
    nothing: () => canLabel && takesSeveral && session.pickNothing(shown),
    clear: () => canLabel && session.clear(),
    next: () => session.next(),
    previous: () => session.previous(),
    undo: () => session.undo(),
    redo: () => session.redo(),
    evidence: () => evidence.canShow && evidence.toggle(),
    search: () => search.current?.focus(),
    batch: () => canLabel && !campaign && hasFeatures && batch.open(),
    history: page.toggleHistory,
    help: help.toggle,
  })

  return (
    <EditorFrame
      page={page}
      scope="labelling"
      onRevert={(annotations) => session.accept(annotations)}
      onUndo={() => session.undo()}
      onRedo={() => session.redo()}
      onHelp={help.open}
    >
      <PictureBody
        stage={
          <ItemStage item={state.item} evidence={evidence.evidence}>
            <PresenceHint people={page.people} />
          </ItemStage>
        }
        foot={<StepFoot session={session} state={state} going={takesSeveral ? undefined : { goesOn, onChange: setGoesOn }} />}
      >
        <Stack gap="md" mih="100%">
          <ItemFacts item={state.item} annotations={state.annotations} />
          {!campaign && (hasFeatures || suggestion) && (
            <Suggestions
              suggestion={suggestion}
              isDisabled={!canLabel}
              hint={hint('accept')}
              onAccept={accept}
              isExplained={state.item !== null && explained.has('suggestion')}
            >
              <EvidenceSwitch view={evidence} hint={hint('evidence')} />
            </Suggestions>
          )}
          <ClassPicker
            labels={labels}
            counts={campaign ? undefined : summary?.by_label}
            chosen={labelsOf(state.annotations)}
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
        first={labelsOf(suggestion?.annotations ?? state.annotations)[0] ?? null}
        opened={isBatchOpen}
        onClose={batch.close}
        onAccept={acceptMany}
      />
    </EditorFrame>
  )
}

export default { name: 'class-picker', Tool } satisfies LabellingTool
