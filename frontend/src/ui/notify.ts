import { notifications } from '@mantine/notifications'
import i18next from 'i18next'

import { ApiError } from '../lib/api/errors'

/** Says that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 3000 })
}

/** Says that something was refused, with the cure. */
export function notifyError(error: unknown): void {
  const known = error instanceof ApiError ? error : null
  const title = known?.code === 'offline' ? i18next.t('common:error.offline') : known?.title || i18next.t('common:error.title')
  const message = known ? [known.detail, known.hint].filter(Boolean).join(' ') : error instanceof Error ? error.message : ''
  notifications.show({ title, message: message === title ? '' : message, color: 'red', autoClose: 10_000 })
}
