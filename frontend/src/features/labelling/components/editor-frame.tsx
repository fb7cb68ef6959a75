import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'

import type { ItemAnnotations } from '../../../answers/annotations'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { PicturePage } from '../../../ui/picture-page'
import type { LabellingPage } from '../api/use-labelling-page'
import { ConflictDialog } from './conflict-dialog'
import { DoneState } from './done-state'
import { EditorHeader } from './editor-header'
import { FilmStrip } from './film-strip'
import { HistoryDrawer } from './history-drawer'
import { SignInAgain } from './sign-in-again'

interface EditorFrameProps {
  page: LabellingPage
  /** The page's keys. */
  scope: string
  /** Whether labels are given; numbers have none. */
  hasLabels?: boolean
  onRevert: (annotations: ItemAnnotations) => void
  onUndo?: () => void
  onRedo?: () => void
  onHelp?: () => void
  children: ReactNode
}

/** What labelling needs with any kind of annotation: header, history, conflicts, a session that ends, the end of the queue. */
export function EditorFrame({ page, hasLabels = true, onRevert, children, ...head }: EditorFrameProps) {
  const { work, session, autosave, state, saving, canLabel } = page
  const { project, campaign } = work
  const canChangeLabels = useHasRole('engineer') && hasLabels && !campaign
  const [isSignInOpen, signIn] = useDisclosure()
  return (
    <PicturePage>
      <EditorHeader
        project={project}
        state={state}
        saving={saving}
        campaign={campaign}
        canChangeLabels={canChangeLabels}
        onHistory={page.toggleHistory}
        onSignIn={signIn.open}
        {...head}
      />
      {state.error != null && !state.item && <ErrorState error={state.error} onRetry={() => void session.retry()} />}
      {state.isDone ? (
        <DoneState
          project={project}
          isShared={campaign !== null}
          isList={work.list !== null}
          hasVisited={state.num_items > 0}
          numPassed={canLabel ? state.num_passed : 0}
          onBack={() => session.previous()}
          onAgain={() => session.again()}
        />
      ) : (
        <>
          {children}
          <FilmStrip session={session} state={state} />
        </>
      )}
      <HistoryDrawer
        item={campaign ? null : state.item}
        annotations={state.annotations}
        canLabel={canLabel}
        opened={page.isHistoryOpen}
        onClose={page.closeHistory}
        onRevert={onRevert}
      />
      <SignInAgain
        opened={isSignInOpen && saving.kind === 'signed_out'}
        count={saving.num_waiting}
        onClose={signIn.close}
        onDone={() => {
          signIn.close()
          autosave.nudge()
          void session.retry()
        }}
      />
      {saving.conflict && (
        <ConflictDialog
          conflict={saving.conflict}
          labels={project.label_set.labels}
          onResolve={(choice) => void autosave.resolve(saving.conflict?.item ?? '', choice)}
        />
      )}
    </PicturePage>
  )
}
