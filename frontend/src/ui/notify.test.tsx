import { MantineProvider } from '@mantine/core'
import { Notifications, notifications, notificationsStore } from '@mantine/notifications'
import { act, render } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'

import { ApiError } from '../lib/api/errors'
import { notifyError } from './notify'

const refusal = (title: string) => new ApiError(403, 'permission_denied', title, '', '')
const notificationTitles = () => {
  const { notifications: shown, queue } = notificationsStore.getState()
  return [...shown, ...queue].map(({ title }) => title)
}

afterEach(() => notifications.clean())

it('counts the same refusal as long as it is on the screen, beyond what fits there too', () => {
  const others = ['one', 'two', 'three', 'four', 'five']
  for (const title of ['Not allowed', ...others, 'Not allowed', 'five', 'Not allowed']) notifyError(refusal(title))
  expect(notificationTitles()).toEqual(['Not allowed (3×)', 'one', 'two', 'three', 'four', 'five (2×)'])
  notifications.clean()
  notifyError(refusal('Not allowed'))
  expect(notificationTitles()).toEqual(['Not allowed'])
})

it('stays as long again when it comes once more', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const pass = (time_ms: number) => act(() => vi.advanceTimersByTime(time_ms))
  render(
    <MantineProvider>
      <Notifications />
    </MantineProvider>,
  )
  act(() => notifyError(refusal('Not allowed')))
  pass(8000)
  act(() => notifyError(refusal('Not allowed')))
  pass(8000)
  expect(notificationTitles()).toEqual(['Not allowed (2×)'])
  pass(3000)
  expect(notificationTitles()).toEqual([])
})
