import { describe, expect, it } from 'vitest'

import { ALL_ITEMS, MAX_FILES, type PredictionForm, problemOf, requestOf, withFiles } from './prediction-form'

const file = (path: string, content = 'x') => ({ path, file: new File([content], path) })
const form = (changes: Partial<PredictionForm>): PredictionForm => ({
  artefact: 'art_1',
  source: 'items',
  items: ALL_ITEMS,
  version: '',
  files: [],
  ...changes,
})

describe('the form of a batch prediction', () => {
  it.each([
    [{ artefact: '' }, 'no_model'],
    [{ source: 'version' }, 'no_version'],
    [{ source: 'files' }, 'no_files'],
    [{ source: 'files', files: Array.from({ length: MAX_FILES + 1 }, (_, n) => file(`${n}.png`)) }, 'too_many_files'],
    [{}, null],
    [{ source: 'version', version: 'dsv_1' }, null],
    [{ source: 'files', files: [file('a.zip')] }, null],
  ] as const)('with %o has the problem %s', (changes, problem) => {
    expect(problemOf(form(changes))).toBe(problem)
  })

  it('asks for what was chosen, and for nothing of another source', () => {
    const items = { ...ALL_ITEMS, state: 'unlabelled', split: 'test', text: ' holiday ' } as const
    const chosen = form({ items, version: 'dsv_1', files: [file('a.zip')] })
    expect(requestOf(chosen, [])).toMatchObject({
      filter: { state: 'unlabelled', split: 'test', text: 'holiday' },
      version: null,
      uploads: [],
    })
    expect(requestOf({ ...chosen, source: 'version' }, [])).toMatchObject({ filter: null, version: 'dsv_1' })
    expect(requestOf({ ...chosen, source: 'files' }, ['upl_1'])).toMatchObject({ filter: null, version: null, uploads: ['upl_1'] })
  })

  it('takes a file once, and leaves behind what systems put into folders', () => {
    const before = [file('a.png', 'old'), file('b.png')]
    const after = withFiles(before, [file('a.png', 'newer'), file('.DS_Store'), file('c/d.png')])
    expect(after.map(({ path, file }) => [path, file.size])).toEqual([
      ['b.png', 1],
      ['a.png', 5],
      ['c/d.png', 1],
    ])
  })
})
