import { Alert, Group, Loader, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPhotoOff } from '@tabler/icons-react'
import { type ComponentType, useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import type { Editor } from '../../../canvas/editor'
import { CanvasWorkspace } from '../../../canvas/react/canvas-workspace'
import { useSummary } from '../../../lib/dataset/summary'
import { useShortcuts } from '../../../lib/shortcuts/use-shortcuts'
import { useLoadedPicture } from '../../../lib/use-loaded-picture'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone, notifyError } from '../../../ui/notify'
import { useSuggestion } from '../api/suggestions'
import { useDrawing } from '../api/use-drawing'
import type { Work } from '../api/use-labelling-session'
import { useLabellingPage } from '../api/use-labelling-page'
import { EditorFrame } from '../components/editor-frame'
import { PresenceHint } from '../components/presence-hint'
import type { Counted } from './counted'
import { DrawingActions } from './drawing-actions'
import { DrawingFacts } from './drawing-facts'
import classes from './drawing.module.css'
import { useDrawnLabels } from './use-drawn-labels'
import { usePaintSettings } from './use-paint-settings'

const TOOLS_WITHOUT_LABELS = ['select', 'pan'] as const

export interface DrawingToolProps {
  work: Work
  /** What is drawn with, the first of which is in hand at the beginning. */
  tools: readonly [string, ...string[]]
  counted: Counted
  /** Whether areas may be marked that do not count. */
  hasIgnoredAreas?: boolean
  /** False where names would cover what is read: they stand beside the object at the pointer alone, until a person wants them all. */
  hasNames?: boolean
  /** What else belongs to each object, below the picture's name. */
  Details?: ComponentType<{ editor: Editor }>
}

/** Objects drawn on a picture, with the tools that a task's kinds of objects need. */
export function DrawingTool({ work, tools, counted, hasIgnoredAreas = false, hasNames = true, Details }: DrawingToolProps) {
  const { t } = useTranslation('labelling')
  const { project, campaign } = work
  const page = useLabellingPage(work)
  const { session, state, canLabel } = page
  const labels = useDrawnLabels(project.label_set.labels, hasIgnoredAreas)
  // Who labels a share sees nothing of the rest.
  const summary = useSummary(campaign ? '' : project.dataset).data
  const [atLeast, setAtLeast] = useLocalStorage({ key: 'modelyard.labelling-sure-at-least', defaultValue: 0.3 })
  // Who answers in a campaign answers unaided, so that agreement means something.
  const suggestion = useSuggestion(campaign ? undefined : state.item?.id, state.ahead)
  const isEmpty = state.annotations !== null && state.annotations.length === 0
  const drawing = useDrawing(session, { labels, canLabel, suggestion: isEmpty ? null : suggestion, atLeast, firstTool: tools[0] })
  usePaintSettings(drawing.canvas, project)
  useEffect(() => drawing.canvas.appearance.set({ hasNames }), [drawing.canvas, hasNames])
  const picture = useLoadedPicture(state.item?.picture_url)

  const isOpen = canLabel && state.item !== null
  const copy = () => {
    const item = state.item?.id
    session.previousAnnotations().then((annotations) => {
      if (session.state().item?.id === item && drawing.copy(annotations) === 0) notifyDone(t('drawing.copy_none'))
    }, notifyError)
  }
  const actions = {
    accept: () => isOpen && drawing.acceptAll(),
    copy: () => isOpen && state.index > 0 && copy(),
    nothing: () => isOpen && (isEmpty ? drawing.clear() : drawing.nothing()),
    clear: () => isOpen && drawing.clear(),
    next: () => session.next(),
    previous: () => session.previous(),
  }
  useShortcuts('drawing', { ...actions, history: page.toggleHistory })

  return (
    <EditorFrame page={page} scope="drawing" onRevert={(annotations) => drawing.become(annotations)}>
      {!state.item && state.error === null && <LoadingState />}
      {state.item && labels.length === 0 && (
        <Alert color="orange" mb="xs" p="xs">
          {t('drawing.no_labels')}
        </Alert>
      )}
      {state.item && (
        <div className={classes.area}>
          <CanvasWorkspace
            editor={drawing.canvas}
            image={picture.image}
            tools={labels.length ? [...TOOLS_WITHOUT_LABELS, ...tools] : TOOLS_WITHOUT_LABELS}
            counts={campaign ? undefined : summary?.by_label}
            scope="drawing"
            head={
              <>
                <DrawingFacts item={state.item} annotations={state.annotations} counted={counted} />
                {Details && <Details editor={drawing.canvas} />}
              </>
            }
            foot={
              <DrawingActions
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
