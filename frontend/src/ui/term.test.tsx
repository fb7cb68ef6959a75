import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'

import { setLanguage, startI18n } from '../i18n'
import { Explained } from './explained'
import { Term } from './term'

beforeAll(async () => {
  await startI18n()
})

it('explains a word to the keyboard and to screen readers, in the language that is shown', async () => {
  await setLanguage('zh')
  render(
    <MantineProvider>
      <Term word="psi">PSI 0.31</Term>
    </MantineProvider>,
  )
  const word = screen.getByRole('note', { description: /群体稳定性指标/ })
  expect(word.tabIndex).toBe(0)
  fireEvent.focus(word)
  expect((await screen.findByRole('tooltip')).textContent).toMatch(/两个分布/)
})

it('leaves words alone that need no explanation', () => {
  render(
    <MantineProvider>
      <Explained help="">plain</Explained>
    </MantineProvider>,
  )
  expect(screen.queryByRole('note')).toBeNull()
})
