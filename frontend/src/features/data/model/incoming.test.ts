import { describe, expect, it } from 'vitest'

import { type IncomingFile, measured } from '../../../lib/upload/incoming'
import { batches, folderLabels, titleOf, wayOf, withoutSharedRoot } from './incoming'

const file = (path: string, size = 10): IncomingFile => ({ path, file: new File([new Uint8Array(size)], path.split('/').at(-1) ?? path) })
const paths = (files: IncomingFile[]) => files.map(({ path }) => path)

describe('wayOf', () => {
  it('sends small pictures together and large ones in parts', () => {
    expect(wayOf(file('a.jpg'))).toBe('batch')
    expect(wayOf(file('a.jpg', 9 * 2 ** 20))).toBe('file')
  })

  it('knows archives and label lists by their names', () => {
    expect(['a.zip', 'b.TAR', 'c.tar.gz', 'd.tgz'].map((name) => wayOf(file(name)))).toEqual(Array(4).fill('archive'))
    expect(wayOf(file('labels.csv'))).toBe('labels_csv')
    expect(['rows.jsonl', 'rows.ndjson', 'ROWS.NDJSON'].map((name) => wayOf(file(name)))).toEqual(Array(3).fill('labels_csv'))
  })

  it('passes over what systems leave behind', () => {
    for (const path of ['cat/.DS_Store', '__MACOSX/cat/1.jpg', 'cat/Thumbs.db', '.hidden.jpg']) expect(wayOf(file(path))).toBe('ignore')
  })
})

describe('withoutSharedRoot', () => {
  it('drops the folder around label folders', () => {
    expect(paths(withoutSharedRoot([file('pets/cat/1.jpg'), file('pets/dog/2.jpg')]))).toEqual(['cat/1.jpg', 'dog/2.jpg'])
  })

  it('keeps a single folder of pictures, which is a label itself', () => {
    expect(paths(withoutSharedRoot([file('cat/1.jpg'), file('cat/2.jpg')]))).toEqual(['cat/1.jpg', 'cat/2.jpg'])
  })

  it('keeps folders that were dropped side by side', () => {
    expect(paths(withoutSharedRoot([file('cat/a/1.jpg'), file('dog/2.jpg')]))).toEqual(['cat/a/1.jpg', 'dog/2.jpg'])
  })
})

it('finds the labels that folders would give', () => {
  expect(folderLabels([file('dog/1.jpg'), file('cat/1.jpg'), file('dog/2.jpg'), file('loose.jpg')])).toEqual(['cat', 'dog'])
})

describe('batches', () => {
  it('closes a batch when it holds enough files or enough bytes', () => {
    expect(batches(Array.from({ length: 130 }, (_, index) => file(`${index}.jpg`))).map((batch) => batch.length)).toEqual([64, 64, 2])
    expect(batches([file('a', 3 * 2 ** 20), file('b', 3 * 2 ** 20), file('c', 3 * 2 ** 20)]).map((batch) => batch.length)).toEqual([2, 1])
  })

  it('loses and repeats nothing', () => {
    const files = Array.from({ length: 77 }, (_, index) => file(`${index}.jpg`, (index % 7) * 2 ** 19))
    expect(batches(files).flat()).toEqual(files)
  })
})

it('names a transfer after the folder that was dropped, so that a second drop is recognised', () => {
  const dropped = withoutSharedRoot([file('pets/cat/1.jpg'), file('pets/dog/2.jpg')])
  expect(titleOf(dropped)).toBe('pets')
  expect(titleOf([file('a.jpg')])).toBe('a.jpg')
  expect(titleOf([file('a.jpg'), file('b.jpg')])).toBe('a.jpg + 1')
})

it('reads the size of every file before it hands them on, and reports how far it is when that takes long', async () => {
  const requests: string[] = []
  const slow = (path: string): IncomingFile => {
    const one = new File(['x'], path)
    Object.defineProperty(one, 'size', {
      get: () => {
        const until = performance.now() + 25
        while (performance.now() < until);
        requests.push(path)
        return 1
      },
    })
    return { path, file: one }
  }
  const files = ['a', 'b', 'c', 'd'].map(slow)
  const progress: number[] = []
  expect(await measured(files, (done) => progress.push(done))).toBe(files)
  expect(requests).toEqual(['a', 'b', 'c', 'd'])
  expect(progress.length).toBeGreaterThan(0)
})
