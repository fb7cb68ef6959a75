import { notifications, notificationsStore } from '@mantine/notifications'
import i18next from 'i18next'

import { ApiError } from '../lib/api/errors'
import { refusalText } from '../lib/refusal-text'

/** Says that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 3000 })
}

const CLOSES_AFTER_MS = 10_000

/** How often each refusal that is on the screen, or queued for it, has occurred. */
const times = new Map<string, number>()

/** Says that something was refused, with the cure. The same once more is counted: a hundred of one kind are one notice. */
export function notifyError(error: unknown): void {
  const { title, detail, hint } =
    error instanceof ApiError
      ? refusalText(error)
      : { title: i18next.t('common:error.title'), detail: error instanceof Error ? error.message : '', hint: '' }
  const message = [detail, hint].filter(Boolean).join(' ')
  const id = `refused ${title} ${message}`
  const { notifications: shown, queue } = notificationsStore.getState()
  const isThere = [...shown, ...queue].some((notice) => notice.id === id)
  const count = isThere ? (times.get(id) ?? 1) + 1 : 1
  times.set(id, count)
  // Another duration starts the clock anew.
  const notice = { id, message, color: 'red', autoClose: CLOSES_AFTER_MS + count }
  if (isThere) notifications.update({ ...notice, title: `${title} (${count}×)` })
  else notifications.show({ ...notice, title })
}
