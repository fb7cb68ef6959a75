import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'

import { setLanguage, startFirstWords } from '../../../i18n'
import { Component } from './invitation'

afterEach(() => vi.unstubAllGlobals())

it.each([
  ['en', /Your role there: Labeller\./],
  ['zh', /您的角色：标注员。/],
] as const)('says in %s as what one is invited, with the words that are there before the sign-in', async (language, role) => {
  const found = { workspace: 'Ines', project: 'Clinic', role: 'labeller', email: '', invited_by: 'Ada', can_sign_up: true }
  vi.stubGlobal('fetch', async (request: Request) =>
    new URL(request.url).pathname.endsWith('/auth/me') ? Response.json({}, { status: 401 }) : Response.json(found),
  )
  await startFirstWords()
  await setLanguage(language)
  const router = createMemoryRouter([{ path: '/invitation', Component }], { initialEntries: ['/invitation#secret'] })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(await screen.findByText(role)).toBeTruthy()
})
