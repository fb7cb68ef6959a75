/**
 * How a project speaks of its items. The dictionaries say "picture"; in a project of texts the same sentences say "text", in one
 * of tables "row".
 *
 * A dialect is a language of its own, `en-x-text` or `en-x-row`, that falls back to its plain one. Its words are made from those of
 * the plain dictionary by exchanging one noun, so that a new sentence needs nothing done; those that differ by more than the noun
 * are written in `texts/<language>.ts` and `rows/<language>.ts`. No page asks for its dialect: the provider around a project's pages
 * hands it out.
 */
import i18next, { type i18n } from 'i18next'

import type { Task } from '../lib/api/types'

export interface Words {
  readonly [key: string]: string | Words
}

/** What items are called in place of pictures. */
export const DIALECTS = ['text', 'row'] as const
export type Dialect = (typeof DIALECTS)[number]

const SPOKEN: Partial<Record<Task['modality'], Dialect>> = { text: 'text', tabular: 'row' }

export const dialectOf = (language: string, dialect: Dialect): string => `${language}-x-${dialect}`

/** Whether a language or one of its dialects is spoken; none is before the dictionaries are here. */
export const isLanguage = (spoken: string | undefined, language: string): boolean =>
  spoken === language || spoken?.startsWith(`${language}-x-`) === true

const NOUN = /(?<!\{\{)\b([Pp])icture/g

function inEnglish(noun: string): (sentence: string) => string {
  const capital = noun.charAt(0).toUpperCase() + noun.slice(1)
  return (sentence) => sentence.replace(NOUN, (_, initial) => (initial === 'P' ? capital : noun))
}

const EXCHANGE: Record<string, Record<Dialect, (sentence: string) => string>> = {
  en: { text: inEnglish('text'), row: inEnglish('row') },
  zh: {
    text: (sentence) => sentence.replaceAll('图片', '文本').replaceAll('张', '条'),
    // A row is counted by itself: 3 行, not 3 行行.
    row: (sentence) => sentence.replaceAll(/张(新|未标注的|已标注的|单标签)?图片/g, '$1行').replaceAll(/图片|张/g, '行'),
  },
}

/** A dictionary in the words of a dialect: the noun exchanged, and the sentences of `special` in place of their namesakes. */
export function inDialect(dialect: Dialect, language: string, plain: Words, special: Words = {}): Words {
  const said = Object.entries(plain).map(([key, value]): [string, string | Words] => {
    const own = special[key]
    if (typeof value === 'string') return [key, typeof own === 'string' ? own : (EXCHANGE[language]?.[dialect](value) ?? value)]
    return [key, inDialect(dialect, language, value, typeof own === 'object' ? own : {})]
  })
  return Object.fromEntries(said)
}

const voices = new Map<Dialect, i18n>()

/** The voice of a project's pages, the plain one for pictures. It follows the language that is chosen. */
export function voiceOf(modality: Task['modality'] | undefined): i18n {
  const dialect = modality && SPOKEN[modality]
  if (!dialect) return i18next
  const known = voices.get(dialect)
  if (known) return known
  const made = i18next.cloneInstance()
  const follow = (language: string) => void made.changeLanguage(dialectOf(language, dialect))
  follow(i18next.language)
  i18next.on('languageChanged', follow)
  voices.set(dialect, made)
  return made
}

let heard: i18n = i18next

/** The voice of the project that is open, for sentences made outside of components. */
export const voice = (): i18n => heard

/** Says which voice is heard; gives how to fall silent again. */
export function speakWith(one: i18n): () => void {
  heard = one
  return () => {
    if (heard === one) heard = i18next
  }
}
