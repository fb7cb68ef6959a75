// @vitest-environment jsdom
import i18next from 'i18next'
import { beforeAll, expect, it } from 'vitest'

import { loadAllWords, setItemKind, setLanguage, startFirstWords } from './index'

beforeAll(startFirstWords)

it('brings all words of a language that was chosen and left before the sign-in', async () => {
  await setLanguage('zh')
  expect(i18next.t('common:cancel')).toBe('取消')
  await setLanguage('en')
  expect(i18next.exists('studies:start')).toBe(false)
  await loadAllWords()
  expect(i18next.t('studies:start')).toBe('New study')
  await setLanguage('zh')
  expect(i18next.t('studies:start')).toBe('新建训练')
})

it('starts again in the preferred language and with no kind of items', async () => {
  await setItemKind('text')
  localStorage.setItem('modelyard.language', 'en')
  await startFirstWords()
  expect(i18next.language).toBe('en')
})
