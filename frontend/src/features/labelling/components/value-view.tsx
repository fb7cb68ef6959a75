import { Stack } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useHasRole } from '../../../lib/session/session'
import { useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { useColumns } from '../../../lib/table/columns'
import { CommentsPanel } from '../../../ui/comments/comments-panel'
import { ItemStage } from '../../../ui/item-stage'
import { PictureBody } from '../../../ui/picture-page'
import { ShortcutsDialog } from '../../../ui/shortcuts/shortcuts-dialog'
import { usePresence } from '../api/presence'
import { idOfShared } from '../api/shared-work'
import { useEditor, type Work } from '../api/use-editor'
import { valueOf } from '../model/said'
import { EditorFrame } from './editor-frame'
import { ItemFacts } from './item-facts'
import { PresenceHint } from './presence-hint'
import { StepFoot } from './step-foot'
import { ValueField } from './value-field'

/** A number for the row as a whole. */
export function ValueView(work: Work) {
  const { t } = useTranslation('labelling')
  const { campaign } = work
  const working = useEditor(work)
  const { editor, state } = working
  const canLabel = useHasRole('labeller') || campaign !== null
  const [isHelpOpen, help] = useDisclosure()
  const [isHistoryOpen, history] = useDisclosure()
  const [goesOn, setGoesOn] = useLocalStorage({ key: 'modelyard.labelling-goes-on', defaultValue: true })
  const field = useRef<HTMLInputElement>(null)
  const people = usePresence(canLabel && !campaign ? state.item?.id : undefined)
  const target = useColumns().data?.target ?? t('value.name')
  const value = valueOf(state.said)

  const say = (number: number) => {
    if (!canLabel || !state.item) return
    editor.accept([{ kind: 'value', value: number }])
    if (goesOn) editor.next()
  }
  const clear = () => canLabel && editor.clear()
  useShortcuts('labelling', {
    clear,
    next: () => editor.next(),
    previous: () => editor.previous(),
    undo: () => editor.undo(),
    redo: () => editor.redo(),
    search: () => field.current?.focus(),
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
          <ItemStage item={state.item}>
            <PresenceHint people={people} />
          </ItemStage>
        }
        foot={<StepFoot editor={editor} state={state} going={{ goesOn, onChange: setGoesOn }} />}
      >
        <Stack gap="md" mih="100%">
          <ItemFacts item={state.item} said={state.said} />
          <ValueField
            key={`${state.item?.id} ${value}`}
            name={target}
            value={value}
            isDisabled={!canLabel || !state.item}
            fieldRef={field}
            onSay={say}
            onClear={clear}
          />
          {state.item && <CommentsPanel item={idOfShared(state.item.id)} canWrite={canLabel} scope="labelling" />}
        </Stack>
      </PictureBody>
      <ShortcutsDialog scope="labelling" opened={isHelpOpen} onClose={help.close} />
    </EditorFrame>
  )
}
