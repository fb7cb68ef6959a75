// @vitest-environment jsdom
import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'

import { ApiError } from '../lib/api/errors'
import { refusalText } from '../lib/refusal-text'
import { dialectOf, DIALECTS, inDialect, isLanguage, type KindWords, speakWith, voiceOf, type Words, wordsOf } from './dialect'
import { setLanguage, startI18n } from './index'

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

const said = async (kind: string, language: string, plain: Words) => inDialect((await wordsOf(kind, language)).inWords, plain)

describe('the words of a dialect', () => {
  it('exchange the noun and nothing else', async () => {
    expect(await said('text', 'en', { a: 'Pictures and a picture’s {{picture}}', b: { c: 'none' } })).toEqual({
      a: 'Texts and a text’s {{picture}}',
      b: { c: 'none' },
    })
    expect(await said('text', 'zh', { a: '{{count}} 张图片' })).toEqual({ a: '{{count}} 条文本' })
    expect(await said('tabular', 'en', { a: 'Picture {{number}} of pictures' })).toEqual({ a: 'Row {{number}} of rows' })
    expect(await said('tabular', 'zh', { a: '{{count}} 张图片，每张一份，选中的图片' })).toEqual({ a: '{{count}} 行，每行一份，选中的行' })
  })

  for (const kind of DIALECTS)
    for (const language of ['en', 'zh'] as const)
      it(`replace only sentences that the dictionary has (${kind}, ${language})`, async () => {
        for (const [namespace, words] of Object.entries((await wordsOf(kind, language)).default)) {
          const known = new Map(leaves(plain[language][`./${language}/${namespace}.ts`]?.default ?? {}))
          for (const [key, sentence] of leaves(words))
            expect([namespace, key, holes(sentence)]).toEqual([namespace, key, holes(known.get(key) ?? 'unknown {{key}}')])
        }
      })

  for (const kind of DIALECTS)
    it(`speak of no pictures on pages of the kind ${kind}`, async () => {
      for (const [language, noun] of [
        ['en', /picture/i],
        ['zh', /图片|张/],
      ] as const) {
        const own: KindWords = await wordsOf(kind, language)
        for (const [path, { default: words }] of Object.entries(plain[language])) {
          const namespace = path.slice('./en/'.length, -'.ts'.length)
          if (ELSEWHERE.includes(namespace)) continue
          const sentences = leaves(inDialect(own.inWords, words, own.default[namespace]))
          expect(sentences.filter(([, sentence]) => noun.test(sentence.replace(/{{.*?}}/g, '')) && !sentence.includes('一张表格'))).toEqual(
            [],
          )
        }
      }
    })
})

it('have no other noun for what a project holds', () => {
  const vague = { en: /\bitems?\b/i, zh: /条数据|条目/ }
  for (const language of ['en', 'zh'] as const)
    for (const [path, { default: words }] of Object.entries(plain[language])) {
      const said = leaves(words).filter(([, sentence]) => vague[language].test(sentence.replace(/{{.*?}}/g, '')))
      // Gold items are a word of the house.
      expect([path, said.filter(([key]) => !key.includes('gold'))]).toEqual([path, []])
    }
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
    expect(voice.language).toBe(dialectOf('zh', 'text'))
    expect(voice.t('data:filter.search')).toBe('搜索名称与文本内容')
    expect(i18next.t('data:counts.items', { count: 2 })).toContain('图片')
    expect(voiceOf('text')).toBe(voice)
    expect(voiceOf('tabular').t('data:filter.search')).toBe('搜索单元格')
    await setLanguage('en')
    expect(voiceOf('tabular').t('data:counts.items', { count: 2000 })).toBe('2,000 rows')
    await setLanguage('zh')
  })

  it('knows a language from its dialects', () => {
    expect([isLanguage('en', 'en'), isLanguage('en-x-row', 'en'), isLanguage('zh-x-row', 'en')]).toEqual([true, true, false])
  })

  it('is heard by refusals while the project is open', () => {
    const refused = new ApiError(422, 'item_deleted', 'This picture was deleted', '', '')
    const silence = speakWith(voiceOf('text'))
    expect(refusalText(refused).title).toBe('该文本已删除')
    silence()
    expect(refusalText(refused).title).toBe('该图片已删除')
  })
})
