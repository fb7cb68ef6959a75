/**
 * How a project speaks of its items. The dictionaries say "picture"; in a project of another kind of items the same sentences say
 * what that kind says in `items/<kind>/words/<language>.ts`.
 *
 * A dialect is a language of its own, `en-x-<kind>`, that falls back to its plain one. Its words are made from those of the plain
 * dictionary by exchanging one noun, so that a new sentence needs nothing done; those that differ by more than the noun are written
 * down. No page asks for its dialect: the provider around a project's pages hands it out.
 */
import i18next, { type i18n } from 'i18next'

export interface Words {
  readonly [key: string]: string | Words
}

/** How a kind of items speaks in one language. */
export interface KindWords {
  /** A sentence of the plain dictionary with its noun exchanged. */
  inWords: (sentence: string) => string
  /** By namespace, the sentences that differ by more than the noun. */
  default: Record<string, Words>
}

/** One chunk a kind and language, found by listing. */
const files = import.meta.glob<KindWords>('../items/*/words/*.ts')

/** Kinds of items that have words of their own. */
export const DIALECTS: readonly string[] = [...new Set(Object.keys(files).map((path) => path.split('/')[2] ?? ''))]

export function wordsOf(kind: string, language: string): Promise<KindWords> {
  const load = files[`../items/${kind}/words/${language}.ts`]
  if (!load) throw new Error(`items of the kind ${kind} have no words in ${language}`)
  return load()
}

export const dialectOf = (language: string, kind: string): string => `${language}-x-${kind}`

/** Whether a language or one of its dialects is spoken; none is before the dictionaries are here. */
export const isLanguage = (spoken: string | undefined, language: string): boolean =>
  spoken === language || spoken?.startsWith(`${language}-x-`) === true

/** A dictionary in the words of a kind: the noun exchanged, and the sentences of `special` in place of their namesakes. */
export function inDialect(inWords: KindWords['inWords'], plain: Words, special: Words = {}): Words {
  const said = Object.entries(plain).map(([key, value]): [string, string | Words] => {
    const own = special[key]
    if (typeof value === 'string') return [key, typeof own === 'string' ? own : inWords(value)]
    return [key, inDialect(inWords, value, typeof own === 'object' ? own : {})]
  })
  return Object.fromEntries(said)
}

const voices = new Map<string, i18n>()

/** The voice of a project's pages, the plain one where the kind has no words of its own. It follows the language that is chosen. */
export function voiceOf(kind: string | undefined): i18n {
  if (kind === undefined || !DIALECTS.includes(kind)) return i18next
  const known = voices.get(kind)
  if (known) return known
  const made = i18next.cloneInstance()
  const follow = (language: string) => void made.changeLanguage(dialectOf(language, kind))
  follow(i18next.language)
  i18next.on('languageChanged', follow)
  voices.set(kind, made)
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
