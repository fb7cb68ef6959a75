import { expect, it } from 'vitest'

import { lineageDrawing, nodePath } from './lineage'

it('draws from the source to the model and leaves single items out', () => {
  const nodes = [
    { id: 'art_1', kind: 'artefact' },
    { id: 'dsv_1', kind: 'version' },
    { id: 'itm_1', kind: 'item' },
    { id: 'usr_1', kind: 'person' },
  ]
  const drawing = lineageDrawing(nodes, [
    ['art_1', 'dsv_1'],
    ['dsv_1', 'itm_1'],
    ['dsv_1', 'usr_1'],
  ])
  expect(drawing.nodes.map((node) => node.id)).toEqual(['art_1', 'dsv_1', 'usr_1'])
  expect(drawing.edges).toEqual([
    ['dsv_1', 'art_1'],
    ['usr_1', 'dsv_1'],
  ])
})

it('leaves out an arrow that another way makes needless', () => {
  const nodes = ['person', 'version', 'study'].map((id) => ({ id, kind: id }))
  const drawing = lineageDrawing(nodes, [
    ['version', 'person'],
    ['study', 'version'],
    ['study', 'person'],
  ])
  expect(drawing.edges).toEqual([
    ['person', 'version'],
    ['version', 'study'],
  ])
})

it('leads to the page of a node and nowhere for the others', () => {
  expect(nodePath('prj_1', { kind: 'version', id: 'dsv_1' })).toBe('/projects/prj_1/versions/dsv_1')
  const edges = [
    ['trl_1', 'art_1'],
    ['trl_1', 'stu_1'],
  ]
  expect(nodePath('prj_1', { kind: 'trial', id: 'trl_1' }, edges)).toBe('/projects/prj_1/studies/stu_1?trial=trl_1')
  expect(nodePath('prj_1', { kind: 'person', id: 'usr_1' })).toBeNull()
})
