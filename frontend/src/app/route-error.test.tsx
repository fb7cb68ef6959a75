import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { setLanguage, startI18n } from '../i18n'
import { RouteError } from './route-error'

beforeAll(async () => {
  startI18n()
  await setLanguage('en')
})
afterEach(() => vi.unstubAllGlobals())

const shown = (error: Error) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  const lazy = () => Promise.reject<never>(error)
  const router = createMemoryRouter([{ errorElement: <RouteError />, children: [{ path: '/', lazy }] }])
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  )
}

it('shows in words that a part of the app did not come', async () => {
  shown(new TypeError('Failed to fetch dynamically imported module: /assets/team.js'))
  expect(await screen.findByText('The page could not be loaded')).toBeTruthy()
  expect(screen.queryByText(/dynamically/)).toBeNull()
})

it('reports any other fault as it is', async () => {
  shown(new Error('planted'))
  expect(await screen.findByText('planted')).toBeTruthy()
})
