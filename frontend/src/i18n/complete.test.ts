import { describe, expect, it } from 'vitest'

const en = import.meta.glob<{ default: object }>('./en/*.ts', { eager: true })
const zh = import.meta.glob<{ default: object }>('./zh/*.ts', { eager: true })

function leaves(value: object, prefix = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [key, inner] of Object.entries(value)) {
    const name = prefix ? `${prefix}.${key}` : key
    if (typeof inner === 'string') found.set(name, inner)
    else for (const [path, text] of leaves(inner as object, name)) found.set(path, text)
  }
  return found
}

/** Chinese has no plural forms: `key_one` and `key_other` are one `key_other` there. */
const singular = (keys: Iterable<string>) => [...new Set([...keys].filter((key) => !key.endsWith('_one')))].sort()
const holes = (text: string) => [...text.matchAll(/{{(\w+)/g)].map((match) => match[1]).sort()

describe('dictionaries', () => {
  it('has the same files in both languages', () => {
    expect(Object.keys(zh).map((path) => path.replace('/zh/', '/en/'))).toEqual(Object.keys(en))
  })

  for (const [path, module] of Object.entries(en)) {
    const other = zh[path.replace('/en/', '/zh/')]
    it(`${path} says the same in both languages`, () => {
      const [english, chinese] = [leaves(module.default), leaves(other?.default ?? {})]
      expect(singular(chinese.keys())).toEqual(singular(english.keys()))
      for (const [key, text] of chinese) expect([key, holes(text)]).toEqual([key, holes(english.get(key) ?? '')])
    })
  }
})
