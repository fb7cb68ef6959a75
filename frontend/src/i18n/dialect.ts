/**
 * How a project speaks of its items. The dictionaries say "picture"; in a project of texts the same sentences say "text".
 *
 * A dialect is a language of its own, `en-x-text`, that falls back to its plain one. Its words are made from those of the plain
 * dictionary by exchanging one noun, so that a new sentence needs nothing done; those that differ by more than the noun are
 * written in `texts/<language>.ts`. No page asks for its dialect: the provider around a project's pages hands it out.
 */
import i18next, { type i18n } from 'i18next'

import type { Task } from '../lib/api/types'

export interface Words {
  readonly [key: string]: string | Words
}

const MARK = '-x-text'

export const dialectOf = (language: string): string => language + MARK

const EXCHANGE: Record<string, (sentence: string) => string> = {
  en: (sentence) => sentence.replace(/(?<!\{\{)\b([Pp])icture/g, (_, initial) => (initial === 'P' ? 'Text' : 'text')),
  zh: (sentence) => sentence.replaceAll('图片', '文本').replaceAll('张', '条'),
}

/** A dictionary in the words of texts: the noun exchanged, and the sentences of `special` in place of their namesakes. */
export function inTexts(language: string, plain: Words, special: Words = {}): Words {
  const said = Object.entries(plain).map(([key, value]): [string, string | Words] => {
    const own = special[key]
    if (typeof value === 'string') return [key, typeof own === 'string' ? own : (EXCHANGE[language]?.(value) ?? value)]
    return [key, inTexts(language, value, typeof own === 'object' ? own : {})]
  })
  return Object.fromEntries(said)
}

let ofTexts: i18n | null = null

/** The voice of a project's pages, the plain one for pictures. It follows the language that is chosen. */
export function voiceOf(modality: Task['modality'] | undefined): i18n {
  if (modality !== 'text') return i18next
  if (!ofTexts) {
    const made = i18next.cloneInstance()
    const follow = (language: string) => void made.changeLanguage(dialectOf(language))
    follow(i18next.language)
    i18next.on('languageChanged', follow)
    ofTexts = made
  }
  return ofTexts
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
