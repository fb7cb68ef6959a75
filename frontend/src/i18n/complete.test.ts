import { describe, expect, it } from 'vitest'

import { type KindWords, type Words } from './item-words'

type Files = Record<string, { default: Words }>
const plain = import.meta.glob<{ default: Words }>('./*/*.{ts,json}', { eager: true }) satisfies Files
const ofKinds = import.meta.glob<{ default: KindWords }>('../items/*/words/*.ts', { eager: true }) satisfies Files

const LANGUAGES = [...new Set(Object.keys(plain).map((path) => path.split('/')[1] ?? ''))].sort()
const KINDS = [...new Set(Object.keys(ofKinds).map((path) => path.split('/')[2] ?? ''))].sort()

/** Each sentence by namespace and key. */
function leaves(value: Words, prefix = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, inner] of Object.entries(value))
    if (typeof inner === 'string') found.set(prefix + key, inner)
    else for (const [path, text] of leaves(inner, prefix ? `${prefix}${key}.` : `${key}:`)) found.set(path, text)
  return found
}

function dictionary(language: string): Map<string, string> {
  const files = Object.entries(plain).filter(([path]) => path.startsWith(`./${language}/`))
  return leaves(
    Object.fromEntries(files.map(([path, { default: words }]) => [path.slice(`./${language}/`.length, path.lastIndexOf('.')), words])),
  )
}
const wordsOf = (kind: string, language: string) => leaves(ofKinds[`../items/${kind}/words/${language}.ts`]?.default ?? {})
const spoken = (language: string, kind: string) => new Map([...dictionary(language), ...wordsOf(kind, language)])

const isNoun = (key: string) => key.startsWith('noun:')
/** Chinese has no plural forms: `key_one` and `key_other` are one `key_other` there. Each language has its own forms of a noun. */
const comparable = (keys: Iterable<string>) => [...new Set([...keys].filter((key) => !key.endsWith('_one') && !isNoun(key)))].sort()
const holes = (text: string) => [...text.matchAll(/{{(\w+)/g)].map((match) => match[1]).sort()
const nested = (text: string) => [...text.matchAll(/\$t\(([^)]*)\)/g)].map((match) => match[1] ?? '')

describe.each(LANGUAGES)('the dictionary in %s', (language) => {
  const english = dictionary('en')

  it('has the sentences of the English one, with the same placeholders', () => {
    const here = dictionary(language)
    expect(comparable(here.keys())).toEqual(comparable(english.keys()))
    for (const [key, text] of here) if (!isNoun(key)) expect([key, holes(text)]).toEqual([key, holes(english.get(key) ?? '')])
  })

  describe.each(KINDS)('for items of the kind %s', (kind) => {
    const here = spoken(language, kind)

    it('has every sentence that another kind or language has, with the same placeholders', () => {
      const reference = spoken('en', 'image')
      expect(comparable(here.keys())).toEqual(comparable(reference.keys()))
      for (const [key, text] of here) if (!isNoun(key)) expect([key, holes(text)]).toEqual([key, holes(reference.get(key) ?? '')])
    })

    it('has every form of the noun, and whatever else a sentence nests', () => {
      const forms = [...dictionary(language).keys()].filter(isNoun).sort()
      expect([...wordsOf(kind, language).keys()].filter(isNoun).sort()).toEqual(forms)
      for (const [key, text] of here)
        for (const name of nested(text)) {
          const start = name.split('{{', 1)[0] ?? name
          const isThere = start === name ? here.has(name) : [...here.keys()].some((other) => other.startsWith(start))
          expect([key, name, isThere]).toEqual([key, name, true])
        }
    })
  })
})

it('finds languages and kinds', () => {
  expect(LANGUAGES).toEqual(['en', 'zh'])
  expect(KINDS.length).toBeGreaterThan(2)
})
