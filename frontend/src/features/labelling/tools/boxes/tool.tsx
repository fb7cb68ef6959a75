import { Alert, Group, Loader, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPhotoOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { CanvasWorkspace } from '../../../../canvas/react/canvas-workspace'
import { useShortcuts } from '../../../../lib/shortcuts/use-shortcuts'
import { LoadingState } from '../../../../ui/loading-state'
import { notifyDone, notifyError } from '../../../../ui/notify'
import { useSuggestion } from '../../api/suggestions'
import { useDrawing } from '../../api/use-drawing'
import type { Work } from '../../api/use-editor'
import { useLabellingPage } from '../../api/use-labelling-page'
import { useLoadedPicture } from '../../api/use-loaded-picture'
import type { LabellingTool } from '../tool'
import { BoxActions } from './box-actions'
import { BoxFacts } from './box-facts'
import classes from './boxes.module.css'
import { EditorFrame } from '../../components/editor-frame'
import { PresenceHint } from '../../components/presence-hint'

const TOOLS = ['select', 'pan', 'box'] as const
const TOOLS_WITHOUT_LABELS = ['select', 'pan'] as const

/** Boxes around the things in a picture. */
function Tool(work: Work) {
  const { t } = useTranslation('labelling')
  const { project, campaign } = work
  const page = useLabellingPage(work)
  const { editor, state, canLabel } = page
  const labels = project.label_set.labels
  const [atLeast, setAtLeast] = useLocalStorage({ key: 'modelyard.labelling-sure-at-least', defaultValue: 0.3 })
  // Who answers in a campaign answers unaided, so that agreement means something.
  const suggestion = useSuggestion(campaign ? undefined : state.item?.id, state.ahead)
  const isEmpty = state.said !== null && state.said.length === 0
  const drawing = useDrawing(editor, { labels, canLabel, suggestion: isEmpty ? null : suggestion, atLeast })
  const picture = useLoadedPicture(state.item?.picture_url)

  const isOpen = canLabel && state.item !== null
  const copy = () => {
    const item = state.item?.id
    editor.saidBefore().then((said) => {
      if (editor.state().item?.id === item && drawing.copy(said) === 0) notifyDone(t('boxes.copy_none'))
    }, notifyError)
  }
  const actions = {
    accept: () => isOpen && drawing.acceptAll(),
    copy: () => isOpen && state.index > 0 && copy(),
    nothing: () => isOpen && (isEmpty ? drawing.clear() : drawing.nothing()),
    clear: () => isOpen && drawing.clear(),
    next: () => editor.next(),
    previous: () => editor.previous(),
  }
  useShortcuts('boxes', { ...actions, history: page.toggleHistory })

  return (
    <EditorFrame page={page} scope="boxes" onRevert={(said) => drawing.become(said)}>
      {!state.item && state.error === null && <LoadingState />}
      {state.item && labels.length === 0 && (
        <Alert color="orange" mb="xs" p="xs">
          {t('boxes.no_labels')}
        </Alert>
      )}
      {state.item && (
        <div className={classes.area}>
          <CanvasWorkspace
            editor={drawing.canvas}
            image={picture.image}
            tools={labels.length ? TOOLS : TOOLS_WITHOUT_LABELS}
            scope="boxes"
            head={<BoxFacts item={state.item} said={state.said} />}
            foot={
              <BoxActions
                drawing={drawing}
                item={state.item}
                isEmpty={isEmpty}
                canLabel={canLabel}
                isFirst={state.index === 0}
                atLeast={atLeast}
                onAtLeast={setAtLeast}
                {...actions}
              />
            }
          />
          <div className={classes.over}>
            {!picture.image && !picture.isBroken && <Loader size="sm" aria-label={t('common:loading')} />}
            {picture.isBroken && (
              <Group gap="xs" c="dimmed">
                <IconPhotoOff size={28} />
                <Text>{t('common:picture_broken')}</Text>
              </Group>
            )}
            <PresenceHint people={page.people} />
          </div>
        </div>
      )}
    </EditorFrame>
  )
}

export default { name: 'boxes', Tool } satisfies LabellingTool
