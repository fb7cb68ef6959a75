import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'

import { setLanguage, startI18n } from '../../../i18n'
import { Component } from './sign-up'

afterEach(() => vi.unstubAllGlobals())

it.each([
  [
    'en',
    'Create account',
    ['Enter your name.', 'An e-mail address has the form name@example.com.', 'Choose a password of at least 8 characters.'],
  ],
  ['zh', '注册', ['请填写姓名。', '邮箱格式应为 name@example.com。', '密码至少需要 8 个字符。']],
] as const)('shows in %s what is wrong with each field, sends nothing, and goes to the first', async (language, button, wrong) => {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`)
    return Response.json({ is_first: true, sign_up: 'open', providers: [], sends_mail: false, step: null })
  })
  await startI18n()
  await setLanguage(language)
  const router = createMemoryRouter([{ path: '/', Component }])
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const [, email, password] = document.querySelectorAll('input')
  await userEvent.type(email as HTMLElement, 'ada')
  await userEvent.type(password as HTMLElement, 'short')
  await userEvent.click(screen.getByRole('button', { name: button }))
  for (const words of wrong) expect(await screen.findByText(words)).toBeTruthy()
  expect(document.activeElement).toBe(document.querySelector('input'))
  expect(requests).not.toContain('POST /api/auth/sign-up')
})
