// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import { itemKind } from '.'
import type { ItemKind, KindName } from './kind'
import { hasPage, isKnown } from './pages'

const folders = Object.keys(import.meta.glob('./*/kind.tsx')).map((path) => path.split('/')[1] as KindName)
const media = { width: 640, height: 480, size_bytes: 1200, num_characters: 12, num_cells: 7 } as Parameters<ItemKind['sizeText']>[0]
const t = ((key: string, { shown }: { shown: string }) => `${key} ${shown}`) as unknown as Parameters<ItemKind['sizeText']>[1]

describe.each(folders)('items of the kind %s', (name) => {
  const kind = itemKind(name)

  it('are named as their folder is', () => {
    expect(kind.name).toBe(name)
    expect(isKnown(name)).toBe(true)
  })

  it('show in words how large one is', () => {
    expect(kind.sizeText(media, t)).toMatch(/\d/)
    expect(kind.sizeText(media, t)).not.toContain('undefined')
  })

  it('have a map exactly where they are compared', () => {
    expect(hasPage(name, 'map')).toBe(kind.similarity !== null)
  })

  it('have the page where their labels come from', () => {
    expect(hasPage(name, kind.labelsFrom)).toBe(true)
  })

  it('take files, and show how addresses of them look', () => {
    expect(kind.upload.accept).toContain('.zip')
    expect(kind.upload.examples.urls.split('\n')).toHaveLength(2)
  })
})

it('names a kind that there is none of', () => {
  const smell = 'smell' as string as KindName
  expect(() => itemKind(smell)).toThrow(`no kind of items smell; known: ${folders.join(', ')}`)
  expect(isKnown(smell)).toBe(false)
})

it('shows only the pages that all have while the kind is not known', () => {
  expect([hasPage(undefined, 'map'), hasPage(undefined, 'columns'), hasPage(undefined, 'data')]).toEqual([false, false, true])
  expect([hasPage('tabular', 'map'), hasPage('tabular', 'columns'), hasPage('image', 'columns')]).toEqual([false, true, false])
})
