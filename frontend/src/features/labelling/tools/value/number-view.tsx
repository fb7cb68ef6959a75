import { Stack } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { ofValue, valueOf } from '../../../../answers/annotations'
import { useShortcuts } from '../../../../lib/shortcuts/use-shortcuts'
import { useColumns } from '../../../../lib/table/columns'
import { CommentsPanel } from '../../../../ui/comments/comments-panel'
import { ItemStage } from '../../../../items/item-stage'
import { PictureBody } from '../../../../ui/picture-page'
import { ShortcutsDialog } from '../../../../ui/shortcuts/shortcuts-dialog'
import { idOfShared } from '../../api/shared-work'
import type { Work } from '../../api/use-editor'
import { useLabellingPage } from '../../api/use-labelling-page'
import { EditorFrame } from '../../components/editor-frame'
import { ItemFacts } from '../../components/item-facts'
import { PresenceHint } from '../../components/presence-hint'
import { StepFoot } from '../../components/step-foot'
import { ValueField } from './value-field'

/** A number for the row as a whole. */
export function NumberView(work: Work) {
  const { t } = useTranslation('labelling')
  const page = useLabellingPage(work)
  const { editor, state, canLabel } = page
  const [isHelpOpen, help] = useDisclosure()
  const [goesOn, setGoesOn] = useLocalStorage({ key: 'modelyard.labelling-goes-on', defaultValue: true })
  const field = useRef<HTMLInputElement>(null)
  const target = useColumns().data?.target ?? t('value.name')
  const value = valueOf(state.said)

  const say = (number: number) => {
    if (!canLabel || !state.item) return
    editor.accept(ofValue(number))
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
    history: page.toggleHistory,
    help: help.toggle,
  })

  return (
    <EditorFrame
      page={page}
      scope="labelling"
      hasLabels={false}
      onRevert={(said) => editor.accept(said)}
      onUndo={() => editor.undo()}
      onRedo={() => editor.redo()}
      onHelp={help.open}
    >
      <PictureBody
        stage={
          <ItemStage item={state.item}>
            <PresenceHint people={page.people} />
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
