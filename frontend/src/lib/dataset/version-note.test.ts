// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'

import { setLanguage, startI18n } from '../../i18n'
import { useVersionNote } from './version-note'

beforeAll(startI18n)

const noted = [
  { note: 'stricter labels', note_restored_number: null },
  { note: 'Before version 3 was restored', note_restored_number: 3 },
]

it.each([
  ['en', ['stricter labels', 'Before version 3 was restored']],
  ['zh', ['stricter labels', '恢复到版本 3 之前的状态']],
] as const)('shows in %s what the platform noted, and leaves the words of people alone', async (language, expected) => {
  await setLanguage(language)
  const { result } = renderHook(useVersionNote)
  expect(noted.map(result.current)).toEqual(expected)
})
