// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'

import { itemKind } from '../../../items'
import type { KindName } from '../../../items/kind'
import type { Finding } from '../api/quality'
import { differences, evidenceOf, shownItem } from './evidence'
import { actionForAll, actionsFor, clustersOf, countsOf, inOrder, isPaired } from './kinds'

const kindsOf = (name: KindName) => inOrder(itemKind(name).findings)

const finding = (id: string, kind: Finding['kind'], detail: Finding['detail'] = {}): Finding =>
  ({ kind, severity: 0.5, detail, item: { id }, other: null, dismissed_at: null }) as Finding

describe('kinds', () => {
  it('groups only copies, and takes suggestions only for labels', () => {
    for (const kind of [...kindsOf('image'), ...kindsOf('text'), ...kindsOf('tabular')]) {
      expect(actionsFor(kind).includes('group')).toBe(isPaired(kind))
      expect(actionsFor(kind).includes('relabel')).toBe(kind === 'wrong_label')
      expect(actionsFor(kind)).toContain(actionForAll(kind))
    }
  })

  it('gathers copies with the one to keep first and loses none', () => {
    const clusters = clustersOf([
      finding('b', 'near_duplicate', { cluster: 'a', is_kept: false }),
      finding('x', 'near_duplicate', { cluster: 'x', is_kept: true }),
      finding('a', 'near_duplicate', { cluster: 'a', is_kept: true }),
    ])
    expect(clusters.map(({ findings }) => findings.map(({ item }) => item.id))).toEqual([['a', 'b'], ['x']])
  })

  it('lists kinds with findings first and keeps the order within', () => {
    const kinds = countsOf({ dark: 2, leak: 1 }, kindsOf('image')).map(({ kind }) => kind)
    expect(kinds.slice(0, 2)).toEqual(['leak', 'dark'])
    expect(new Set(kinds)).toEqual(new Set(kindsOf('image')))
  })

  it('looks in rows for copies, leaks, doubtful targets and outliers', () => {
    expect(kindsOf('tabular')).toEqual(['leak', 'exact_duplicate', 'wrong_label', 'outlier'])
  })

  it('looks for other faults in texts than in pictures', () => {
    expect(kindsOf('text')).toEqual([
      'leak',
      'exact_duplicate',
      'near_duplicate',
      'wrong_label',
      'garbled',
      'low_information',
      'outlier',
      'odd_size',
      'odd_language',
    ])
    expect(kindsOf('image')).not.toContain('garbled')
    expect(kindsOf('image')).toHaveLength(13)
  })
})

describe('evidence', () => {
  it('shows how one copy came from the other', () => {
    expect(differences({ orientation: 'turned_90', kept_fraction: 1, is_resized: false })).toEqual(['orientation.turned_90'])
    expect(differences({ orientation: 'upright', kept_fraction: 0.81, is_resized: true })).toEqual(['cropped'])
    expect(differences({ orientation: 'upright', kept_fraction: 0.995, is_resized: true })).toEqual(['resized'])
    expect(differences({ orientation: 'upright', kept_fraction: 1, is_resized: false })).toEqual([])
  })

  it('names the labels and how sure the model is', () => {
    const { key, values } = evidenceOf(
      finding('a', 'wrong_label', { label: 'cat', suggested: 'dog', confidence: 0.93, given_confidence: 0.02 }),
    )
    expect([key, values.label, values.suggested]).toEqual(['wrong_label', 'cat', 'dog'])
    expect(values.confidence).toContain('93')
  })

  it('distinguishes a long text from a short one, and how a text is garbled', () => {
    const detail = { value: 12.34, limit: 10, num_characters: 6400, is_long: true }
    expect(evidenceOf(finding('a', 'odd_size', detail))).toEqual({ key: 'too_long', values: { characters: '6,400', times: '12.3' } })
    expect(evidenceOf(finding('a', 'odd_size', { ...detail, is_long: false })).key).toBe('too_short')
    expect(evidenceOf(finding('a', 'garbled', { reason: 'wrong_encoding', value: 1 })).key).toBe('garbled_wrong_encoding')
  })

  it('names scripts in the language that is shown', () => {
    const { values } = evidenceOf(finding('a', 'odd_language', { script: 'latin', usual: 'han', value: 0.01 }))
    expect(values).toEqual({ script: 'Latin', usual: 'Han' })
  })

  it('shows the cells that set a row apart, first of all cells', () => {
    const odd = finding('a', 'outlier', { value: 5, limit: 4, columns: ['cost', 'gone'] })
    odd.item.row = { cells: { age: '3', cost: '$9,000' }, copy_number: 1 } as typeof odd.item.row
    expect(evidenceOf(odd)).toEqual({ key: 'outlier_cells', values: { cells: 'cost $9,000 · gone' } })
    expect(Object.keys(shownItem(odd).row?.cells ?? {})).toEqual(['cost', 'age'])
    expect(evidenceOf(finding('a', 'outlier', { value: 5, limit: 4 })).key).toBe('outlier')
  })

  it('distinguishes a grey picture among coloured ones from the reverse', () => {
    expect(evidenceOf(finding('a', 'odd_colour', { value: 0, limit: 0.003 })).key).toBe('odd_grey')
    expect(evidenceOf(finding('a', 'odd_colour', { value: 0.2, limit: 0.003 })).key).toBe('odd_coloured')
  })
})
