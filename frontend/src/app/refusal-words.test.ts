// @vitest-environment jsdom
import i18next from 'i18next'
import { afterEach, expect, it, vi } from 'vitest'

import { loadAllWords, setLanguage, startFirstWords } from '../i18n'
import zh from '../i18n/zh/refusals.json'
import { api, data } from '../lib/api/client'
import { ApiError } from '../lib/api/errors'
import { refusalText } from '../lib/refusal-text'
import { wordRefusals } from './refusal-words'

afterEach(() => vi.unstubAllGlobals())

it('brings the words of refusals with the first one, in every language from then on', async () => {
  await startFirstWords()
  await setLanguage('en')
  expect(i18next.hasResourceBundle('en', 'refusals')).toBe(false)
  wordRefusals()
  const problem = JSON.stringify({ code: 'sign_in_failed', title: 'In English', detail: 'Also.', hint: '' })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(problem, { status: 401 })))
  const refused: unknown = await data(api.GET('/api/auth/me')).catch((error: unknown) => error)
  if (!(refused instanceof ApiError)) throw new Error('no refusal')
  expect(i18next.hasResourceBundle('en', 'refusals')).toBe(true)
  await setLanguage('zh')
  expect(refusalText(refused).title).toBe(zh.sign_in_failed.title)
  await loadAllWords()
  expect(i18next.exists('jobs:title')).toBe(true)
})
