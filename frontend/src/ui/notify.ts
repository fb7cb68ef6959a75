import { notifications } from '@mantine/notifications'
import i18next from 'i18next'

import { ApiError } from '../lib/api/errors'
import { refusalText } from '../lib/refusal-text'

/** Says that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 3000 })
}

/** Says that something was refused, with the cure. */
export function notifyError(error: unknown): void {
  const { title, detail, hint } =
    error instanceof ApiError
      ? refusalText(error)
      : { title: i18next.t('common:error.title'), detail: error instanceof Error ? error.message : '', hint: '' }
  notifications.show({ title, message: [detail, hint].filter(Boolean).join(' '), color: 'red', autoClose: 10_000 })
}
