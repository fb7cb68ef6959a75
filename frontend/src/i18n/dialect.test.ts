import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'

import { ApiError } from '../lib/api/errors'
import { refusalText } from '../lib/refusal-text'
import { dialectOf, inTexts, speakWith, voiceOf, type Words } from './dialect'
import { setLanguage, startI18n } from './index'
import en from './texts/en'
import zh from './texts/zh'

const plain = {
  en: import.meta.glob<{ default: Words }>('./en/*.ts', { eager: true }),
  zh: import.meta.glob<{ default: Words }>('./zh/*.ts', { eager: true }),
}
/** Rooms that no project of texts has, and pages outside of projects. */
const ELSEWHERE = ['canvas', 'playground', 'session', 'settings', 'projects', 'shortcuts']

function leaves(value: Words, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[prefix + key, inner] as [string, string]] : leaves(inner, `${prefix}${key}.`),
  )
}
const holes = (sentence: string) => [...sentence.matchAll(/{{(\w+)/g)].map((match) => match[1]).sort()

describe('the words of texts', () => {
  it('exchange the noun and nothing else', () => {
    expect(inTexts('en', { a: 'Pictures and a picture’s {{picture}}', b: { c: 'none' } })).toEqual({
      a: 'Texts and a text’s {{picture}}',
      b: { c: 'none' },
    })
    expect(inTexts('zh', { a: '{{count}} 张图片' })).toEqual({ a: '{{count}} 条文本' })
  })

  for (const [language, special] of Object.entries({ en, zh }) as ['en' | 'zh', Record<string, Words>][])
    it(`replace only sentences that the dictionary has (${language})`, () => {
      for (const [namespace, words] of Object.entries(special)) {
        const known = new Map(leaves(plain[language][`./${language}/${namespace}.ts`]?.default ?? {}))
        for (const [key, sentence] of leaves(words))
          expect([namespace, key, holes(sentence)]).toEqual([namespace, key, holes(known.get(key) ?? 'unknown {{key}}')])
      }
    })

  it('speak of no pictures on pages of texts', () => {
    for (const [path, { default: words }] of Object.entries(plain.en)) {
      const namespace = path.slice('./en/'.length, -'.ts'.length)
      if (ELSEWHERE.includes(namespace)) continue
      const said = leaves(inTexts('en', words, (en as Record<string, Words>)[namespace]))
      expect(said.filter(([, sentence]) => /picture/i.test(sentence.replace(/{{.*?}}/g, '')))).toEqual([])
    }
  })
})

describe('the voice of a project', () => {
  beforeAll(() => startI18n())

  it('is the plain one for pictures and says texts for texts, in either language', async () => {
    await setLanguage('en')
    expect(voiceOf('image')).toBe(i18next)
    const voice = voiceOf('text')
    expect(voice.t('data:counts.items', { count: 1 })).toBe('1 text')
    expect(voice.t('data:counts.items', { count: 2000 })).toBe('2,000 texts')
    expect(voice.t('common:cancel')).toBe(i18next.t('common:cancel'))
    await setLanguage('zh')
    expect(voice.language).toBe(dialectOf('zh'))
    expect(voice.t('data:filter.search')).toBe('搜索名称与文本内容')
    expect(i18next.t('data:counts.items', { count: 2 })).toContain('图片')
    expect(voiceOf('text')).toBe(voice)
  })

  it('is heard by refusals while the project is open', () => {
    const refused = new ApiError(422, 'item_deleted', 'This picture was deleted', '', '')
    const silence = speakWith(voiceOf('text'))
    expect(refusalText(refused).title).toBe('该文本已删除')
    silence()
    expect(refusalText(refused).title).toBe('该图片已删除')
  })
})
