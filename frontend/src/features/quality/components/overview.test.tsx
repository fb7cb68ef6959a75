import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'

import { setLanguage, startI18n } from '../../../i18n'
import type { Note } from '../api/quality'
import { Notes } from './overview'

beforeAll(() => startI18n())

const overview = (limit: number) => {
  const note = { code: 'wrong_labels_expected', label: null, split: null, value: 10, limit } as Note
  render(
    <MantineProvider env="test">
      <Notes notes={[note]} />
    </MantineProvider>,
  )
  return screen.getAllByRole('listitem').at(-1)?.textContent
}

it('claims no certainty of doubtful labels where none can be named', async () => {
  await setLanguage('en')
  expect(overview(0)).toBe('Labels expected to be wrong: about 10. None of the doubtful ones can be named with confidence: look at each.')
  expect(overview(4)).toContain('The first 4 of the doubtful ones')
  await setLanguage('zh')
  expect(overview(0)).toContain('可疑标签都不够确定')
  expect(overview(4)).toContain('最前的 4 个')
})

it('lists every note when asked', async () => {
  await setLanguage('en')
  const notes = Array.from(
    { length: 11 },
    (_, index) => ({ code: 'rare_label', label: `l${index}`, split: null, value: 3, limit: 10 }) as Note,
  )
  render(
    <MantineProvider env="test">
      <Notes notes={notes} />
    </MantineProvider>,
  )
  expect(screen.getAllByRole('listitem')).toHaveLength(8)
  fireEvent.click(screen.getByRole('button', { name: 'and 3 more' }))
  expect(screen.getAllByRole('listitem')).toHaveLength(11)
})
