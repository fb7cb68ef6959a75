import { expect, it } from 'vitest'

import { labelSources, looseSource, numStrayLabels } from './label-source'

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
