// @vitest-environment jsdom
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'

import { ApiError } from '../lib/api/errors'
import { refusalText } from '../lib/refusal-text'
import { setItemKind, setLanguage, startI18n } from './index'
import { inLanguage, languageOf, localeOf, WORDED_KINDS, type Words, wordsOf } from './item-words'

const plain = {
  en: import.meta.glob<{ default: Words }>('./en/*.{ts,json}', { eager: true }),
  zh: import.meta.glob<{ default: Words }>('./zh/*.{ts,json}', { eager: true }),
}
/** What only projects of pictures have, and pages outside of projects. */
const ELSEWHERE = ['canvas', 'galleries', 'playground', 'session', 'settings', 'projects', 'shelves', 'templates']

function leaves(value: Words, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[prefix + key, inner] as [string, string]] : leaves(inner, `${prefix}${key}.`),
  )
}

describe('dictionaries', () => {
  const named = { en: /pictures?\b|\b(rows|texts) of the (project|version)/i, zh: /图片|张(?!表格)/ }
  const vague = { en: /\bitems?\b/i, zh: /条数据|条目/ }
  const sentences = (['en', 'zh'] as const).flatMap((language) =>
    Object.entries(plain[language]).flatMap(([path, { default: words }]) => {
      const namespace = path.slice('./en/'.length, path.lastIndexOf('.'))
      if (namespace === 'noun') return []
      return leaves(words).map(([key, text]) => ({ language, namespace, key, text: text.replace(/{{.*?}}|\$t\(.*?\)/g, '') }))
    }),
  )

  it('name no kind of items on pages of projects', () => {
    const naming = sentences.filter(
      ({ namespace, language, key, text }) => !ELSEWHERE.includes(namespace) && !key.startsWith('gallery_') && named[language].test(text),
    )
    expect(naming).toEqual([])
  })

  it('have no other noun for what a project holds', () => {
    // Gold items are a term of their own.
    expect(sentences.filter(({ key, language, text }) => !key.includes('gold') && vague[language].test(text))).toEqual([])
  })
})

describe('the words of a kind of items', () => {
  it.each(WORDED_KINDS.filter((kind) => kind !== 'image'))('say nothing of pictures (%s)', async (kind) => {
    for (const [language, noun] of [
      ['en', /picture/i],
      ['zh', /图片|张(?!表格)/],
    ] as const)
      expect(leaves(await wordsOf(kind, language)).filter(([, text]) => noun.test(text))).toEqual([])
  })

  it('are resources of a locale that programs of the browser take', () => {
    expect(localeOf('en', undefined)).toBe('en')
    expect([localeOf('zh', 'text'), languageOf('zh-x-text'), inLanguage('zh-x-text', 'en'), inLanguage('zh', 'en')]).toEqual([
      'zh-x-text',
      'zh',
      'en-x-text',
      'en',
    ])
    expect((2000).toLocaleString(localeOf('en', 'timeseries'))).toBe('2,000')
  })
})

describe('a project', () => {
  beforeAll(() => startI18n())

  it('speaks of its items in the language that is chosen', async () => {
    const { t } = i18next
    await setLanguage('en')
    expect(t('data:counts.items', { count: 2 })).toBe('2 items')
    await setItemKind('text')
    expect(t('data:counts.items', { count: 1 })).toBe('1 text')
    expect(t('data:counts.items', { count: 2000 })).toBe('2,000 texts')
    expect(t('common:cancel')).toBe('Cancel')
    await setLanguage('zh')
    expect(t('data:filter.search')).toBe('搜索名称与文本内容')
    expect(t('data:counts.items', { count: 2 })).toBe('2 条文本')
    await setItemKind('tabular')
    expect(t('data:filter.search')).toBe('搜索单元格')
    expect(t('data:counts.items', { count: 2 })).toBe('2 行')
    await setLanguage('en')
    expect(t('data:counts.items', { count: 2000 })).toBe('2,000 rows')
    await setItemKind('image')
    expect(t('data:counts.items', { count: 2000 })).toBe('2,000 pictures')
  })

  it('names its items in refusals', async () => {
    const refused = new ApiError(422, 'item_deleted', 'This picture was deleted', '', '')
    await setLanguage('zh')
    await setItemKind('text')
    expect(refusalText(refused).title).toBe('该文本已删除')
    await setItemKind('image')
    expect(refusalText(refused).title).toBe('该图片已删除')
    await setItemKind(undefined)
  })
})
