/** The one autosave of the person who is signed in: it goes on sending while other pages are open. */
import { api, data } from '../../../lib/api/client'
import { notifyError } from '../../../ui/notify'
import { type Answer, Autosave } from '../model/autosave'
import { openJournal } from '../model/journal'
import { browserTabs } from '../model/tabs'
import { isShared, sendAnswer } from './shared-work'

let present: { person: string; autosave: Autosave; opened: Promise<void> } | null = null

/** The autosave of a person; that of somebody who was signed in before ends, and what waits there stays in that journal. */
export function savingOf(person: string): { autosave: Autosave; opened: Promise<void> } {
  if (present?.person === person) return present
  present?.autosave.close()
  const autosave = new Autosave({
    journal: openJournal(person),
    tabs: browserTabs(person),
    send: async (operations) => {
      const answers: Answer[] = []
      for (const operation of operations.filter(isShared)) answers.push(await sendAnswer(operation))
      const own = operations.filter((operation) => !isShared(operation))
      if (!own.length) return answers
      const changes = own.map(({ item, operation, before, after, has_others, choice, seen, shown }) => ({
        item,
        operation,
        before,
        after,
        has_others,
        choice,
        seen,
        suggestion: shown,
      }))
      return [...answers, ...(await data(api.PUT('/api/labeling/changes', { body: { changes, person } }))).changes]
    },
  })
  // Wherever the person is by then: the labelling page may have been left.
  autosave.onEvents({ refused: (_operation, error) => notifyError(error) })
  present = { person, autosave, opened: autosave.open() }
  window.addEventListener('online', autosave.nudge)
  // What could not be kept is gone with the page; all else may be left at any time.
  window.addEventListener('beforeunload', (event) => {
    if (autosave.state().num_unkept > 0) event.preventDefault()
  })
  // Asked for quietly: without it the browser may clear the journal of a site that is seldom visited when its disk is full.
  void navigator.storage?.persist?.()
  return present
}
