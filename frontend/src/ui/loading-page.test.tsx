import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeAll, expect, it } from 'vitest'

import { startI18n } from '../i18n'
import { LoadingPage } from './loading-page'

beforeAll(startI18n)

const shown = (page: ReactNode) => render(<MantineProvider env="test">{page}</MantineProvider>)

it('has its title from the start where it is known, and a block as high in its place where it is not', () => {
  const { unmount } = shown(<LoadingPage title="Quality" subtitle="What is wrong with the data." />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Quality')
  expect(screen.getByRole('status').getAttribute('aria-busy')).toBe('true')
  unmount()
  const { container } = shown(<LoadingPage />)
  expect(screen.queryByRole('heading')).toBeNull()
  expect(container.querySelector('[aria-hidden]')).toBeTruthy()
  expect(screen.getByRole('status')).toBeTruthy()
})
