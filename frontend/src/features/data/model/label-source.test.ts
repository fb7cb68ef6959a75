import { describe, expect, it } from 'vitest'

import type { IncomingFile } from '../../../lib/upload/incoming'
import { labelSources, looseSource, numStrayLabels, sourceAtOnce } from './label-source'

it('reads folders of loose files where the format of an archive is recognised', () => {
  expect(['auto', 'folder', 'image_folder'].map(looseSource)).toEqual(['folder', 'folder', 'folder'])
  expect(['none', 'coco'].map(looseSource)).toEqual(['none', 'none'])
})

it('offers formats for archives only', () => {
  expect(labelSources({ hasArchive: true, hasFolders: true }, ['coco'])).toEqual(['auto', 'none', 'coco'])
  expect(labelSources({ hasArchive: false, hasFolders: true }, ['coco'])).toEqual(['folder', 'none'])
  expect(labelSources({ hasArchive: false, hasFolders: false }, ['coco'])).toEqual([])
})

it('counts label files that a folder would send away from their pictures', () => {
  expect(numStrayLabels(['a/1.jpg', 'a/1.xml', 'labels/1.txt', 'data.yaml', 'a/rows.ndjson'], null)).toBe(4)
})

it('takes text files for items where items are texts', () => {
  expect(numStrayLabels(['good/1.txt', 'a/data.json'], /\.txt$/i)).toBe(1)
})

it('takes a note beside the items for no labels', () => {
  expect(numStrayLabels(['a/1.jpg', 'readme.txt'], null)).toBe(0)
  expect(numStrayLabels(['a/1.jpg', 'b/1.txt', 'readme.txt'], null)).toBe(1)
})

describe('sourceAtOnce', () => {
  const of = (...paths: string[]): IncomingFile[] => paths.map((path) => ({ path, file: new File(['.'], path) }))
  const receiver = { items: null, takesLabels: true, known: ['cat'] }

  it('lets loose files go without labels', () => {
    expect(sourceAtOnce(of('1.jpg', '2.jpg', 'readme.txt'), receiver)).toBe('none')
    expect(sourceAtOnce([], receiver)).toBeNull()
  })

  it('takes several folders for labels, and one where it is a label already', () => {
    expect(sourceAtOnce(of('bird/1.jpg', 'dog/2.jpg'), receiver)).toBe('folder')
    expect(sourceAtOnce(of('cat/1.jpg', 'cat/2.jpg'), receiver)).toBe('folder')
    expect(sourceAtOnce(of('holiday/1.jpg'), receiver)).toBe('none')
    expect(sourceAtOnce(of('cat/1.jpg', 'dog/2.jpg'), { ...receiver, takesLabels: false })).toBe('none')
  })

  it('asks where a folder names a part, and what archives, tables and label files hold', () => {
    for (const paths of [
      ['train/1.jpg', 'Val/2.jpg'],
      ['1.jpg', 'a.zip'],
      ['1.jpg', 'rows.csv'],
      ['images/1.jpg', 'labels/1.txt'],
      ['1.jpg', '1.xml'],
    ])
      expect(sourceAtOnce(of(...paths), receiver), paths.join(' ')).toBeNull()
  })

  it('does not ask of a table that was written right here', () => {
    const [table] = of('pasted.jsonl')
    expect(table && sourceAtOnce([{ ...table, isSeen: true }], receiver)).toBe('none')
  })
})
