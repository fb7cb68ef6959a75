import { useDisclosure } from '@mantine/hooks'

import { useHasRole } from '../../../lib/session/session'
import { usePresence } from './presence'
import { useLabellingSession, type Work } from './use-labelling-session'

/** What each labelling tool works with: the editor and its saving, who may label, who else looks, the history of the item. */
export function useLabellingPage(work: Work) {
  const working = useLabellingSession(work)
  const canLabel = useHasRole('labeller') || work.campaign !== null
  const [isHistoryOpen, history] = useDisclosure()
  const { item } = working.state
  const people = usePresence(canLabel && !work.campaign ? item?.id : undefined)
  return {
    ...working,
    work,
    canLabel,
    people,
    isHistoryOpen,
    closeHistory: history.close,
    toggleHistory: () => item && !work.campaign && history.toggle(),
  }
}

export type LabellingPage = ReturnType<typeof useLabellingPage>
