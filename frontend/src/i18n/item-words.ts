/**
 * How a project speaks of its items. Sentences nest the noun, `$t(noun:other)`. Each kind of items has its forms in
 * `items/<kind>/words/<language>.ts`, and beside them the sentences that differ by more than the noun.
 *
 * They are resources of a locale of their own, `en-x-<kind>`, which i18next resolves before the plain language.
 */
export interface Words {
  readonly [key: string]: string | Words
}

/** By namespace. */
export type KindWords = Record<string, Words>

/** One chunk for each kind and language, found by listing. */
const files = import.meta.glob<{ default: KindWords }>('../items/*/words/*.ts')

export const WORDED_KINDS: readonly string[] = [...new Set(Object.keys(files).map((path) => path.split('/')[2] ?? ''))]

export async function wordsOf(kind: string, language: string): Promise<KindWords> {
  const load = files[`../items/${kind}/words/${language}.ts`]
  if (!load) throw new Error(`items of the kind ${kind} have no words in ${language}`)
  return (await load()).default
}

const PRIVATE = '-x-'
/** A subtag of a locale has no more letters. */
const SUBTAG_CHARS = 8

export const localeOf = (language: string, kind: string | undefined): string =>
  kind === undefined ? language : `${language}${PRIVATE}${kind.slice(0, SUBTAG_CHARS)}`

/** The language of a locale: `en` of `en-x-text`. */
export const languageOf = (locale: string): string => locale.split(PRIVATE, 1)[0] ?? locale

/** The same kind of items in another language. */
export const inLanguage = (locale: string, language: string): string => language + locale.slice(languageOf(locale).length)
