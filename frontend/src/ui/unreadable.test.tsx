import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'

import { setLanguage, startI18n } from '../i18n'
import { UnreadableRows } from './unreadable'

beforeAll(startI18n)

const ROW = {
  id: 'prj_1',
  name: 'Birds',
  code: 'stored_name_unknown',
  detail: "Stored data names 'from_the_future', which is not installed; known: ocr.",
  hint: 'Run the release of Modelyard.',
  params: { name: 'from_the_future', known: 'ocr' },
}

it.each([
  ['en' as const, 'This release cannot show it.', 'Stored data names “from_the_future”, which is not installed here.'],
  ['zh' as const, '当前版本无法显示此内容。', 'from_the_future'],
])('says in %s what cannot be read, and why', async (language, sentence, reason) => {
  await setLanguage(language)
  const { unmount } = render(
    <MantineProvider env="test">
      <UnreadableRows rows={[ROW]} />
    </MantineProvider>,
  )
  const note = screen.getByRole('note', { name: 'Birds' })
  expect(note.textContent).toContain(sentence)
  expect(note.textContent).toContain(reason)
  expect(note.textContent).not.toContain('ocr')
  unmount()
  await setLanguage('en')
})
