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
import type { Work } from '../../api/use-labelling-session'
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
  const { session, state, canLabel } = page
  const [isHelpOpen, help] = useDisclosure()
  const [goesOn, setGoesOn] = useLocalStorage({ key: 'modelyard.labelling-goes-on', defaultValue: true })
  const field = useRef<HTMLInputElement>(null)
  const target = useColumns().data?.target ?? t('value.name')
  const value = valueOf(state.annotations)

  const save = (number: number) => {
    if (!canLabel || !state.item) return
    session.accept(ofValue(number))
    if (goesOn) session.next()
  }
  const clear = () => canLabel && session.clear()
  useShortcuts('labelling', {
    clear,
    next: () => session.next(),
    previous: () => session.previous(),
    undo: () => session.undo(),
    redo: () => session.redo(),
    search: () => field.current?.focus(),
    history: page.toggleHistory,
    help: help.toggle,
  })

  return (
    <EditorFrame
      page={page}
      scope="labelling"
      hasLabels={false}
      onRevert={(annotations) => session.accept(annotations)}
      onUndo={() => session.undo()}
      onRedo={() => session.redo()}
      onHelp={help.open}
    >
      <PictureBody
        stage={
          <ItemStage item={state.item}>
            <PresenceHint people={page.people} />
          </ItemStage>
        }
        foot={<StepFoot session={session} state={state} going={{ goesOn, onChange: setGoesOn }} />}
      >
        <Stack gap="md" mih="100%">
          <ItemFacts item={state.item} annotations={state.annotations} />
          <ValueField
            key={`${state.item?.id} ${value}`}
            name={target}
            value={value}
            isDisabled={!canLabel || !state.item}
            fieldRef={field}
            onSave={save}
            onClear={clear}
          />
          {state.item && <CommentsPanel item={idOfShared(state.item.id)} canWrite={canLabel} scope="labelling" />}
        </Stack>
      </PictureBody>
      <ShortcutsDialog scope="labelling" opened={isHelpOpen} onClose={help.close} />
    </EditorFrame>
  )
}
