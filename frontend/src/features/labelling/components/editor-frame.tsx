import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { usePredictsNumber } from '../../../lib/project/task'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { PicturePage } from '../../../ui/picture-page'
import type { Work, Working } from '../api/use-editor'
import type { Said } from '../model/said'
import { ConflictDialog } from './conflict-dialog'
import { DoneState } from './done-state'
import { EditorHeader } from './editor-header'
import { HistoryDrawer } from './history-drawer'
import { SignInAgain } from './sign-in-again'

interface EditorFrameProps {
  work: Work
  working: Working
  canLabel: boolean
  /** The page's keys. */
  scope: string
  isHistoryOpen: boolean
  history: { toggle: () => void; close: () => void }
  onRevert: (said: Said) => void
  onUndo?: () => void
  onRedo?: () => void
  onHelp?: () => void
  children: ReactNode
}

/** What labelling needs whatever is said: head, history, conflicts, a session that ends, the end of the queue. */
export function EditorFrame({ work, working, canLabel, isHistoryOpen, history, onRevert, children, ...head }: EditorFrameProps) {
  const { project, campaign } = work
  const { editor, autosave, state, saving } = working
  const canChange = useHasRole('engineer')
  const isNumber = usePredictsNumber()
  // Where numbers are said there are no labels.
  const canChangeLabels = canChange && !isNumber
  const [isSignInOpen, signIn] = useDisclosure()
  return (
    <PicturePage>
      <EditorHeader
        project={project}
        state={state}
        saving={saving}
        campaign={campaign}
        canChangeLabels={canChangeLabels && !campaign}
        onHistory={history.toggle}
        onSignIn={signIn.open}
        {...head}
      />
      {state.error != null && !state.item && <ErrorState error={state.error} onRetry={() => void editor.retry()} />}
      {state.isDone ? (
        <DoneState
          project={project}
          isShared={campaign !== null}
          isList={work.list !== null}
          hasVisited={state.num_items > 0}
          numPassed={canLabel ? state.num_passed : 0}
          onBack={() => editor.previous()}
          onAgain={() => editor.again()}
        />
      ) : (
        children
      )}
      <HistoryDrawer
        item={campaign ? null : state.item}
        said={state.said}
        canLabel={canLabel}
        opened={isHistoryOpen}
        onClose={history.close}
        onRevert={onRevert}
      />
      <SignInAgain
        opened={isSignInOpen && saving.kind === 'signed_out'}
        count={saving.num_waiting}
        onClose={signIn.close}
        onDone={() => {
          signIn.close()
          autosave.nudge()
          void editor.retry()
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
