import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setLanguage, startI18n } from '../../../i18n'
import type { DiffItem } from '../api/types'
import { DiffItems } from './diff-items'

vi.mock('react-router', async (original) => ({ ...(await original()), useParams: () => ({ project: 'prj_1' }) }))

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
  const me = { id: 'usr_1', workspaces: [] }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(me)))
})

const box = (label: string, x: number) => ({ kind: 'box', label, x, y: 0, width: 20, height: 20 })
const class_ = (label: string) => ({ kind: 'class', label })

function item(name: string, sides: Partial<DiffItem>): DiffItem {
  const at = { thumbnail_url: '/thumbnail', picture_url: '/picture', width_px: 100, height_px: 80, text: null }
  const rest = { aspects: ['annotations'], split_before: 'train', split_after: 'train', provenance_before: '', provenance_after: '' }
  const rows = { row_before: null, row_after: null }
  return { item: name, name, kind: 'changed', gone: [], come: [], ...at, ...rest, ...rows, ...sides } as unknown as DiffItem
}

function open(items: readonly DiffItem[]) {
  const queries = newQueryClient()
  queries.setQueryData(['project', 'prj_1'], { id: 'prj_1', task: 'some_task', task_options: {}, label_set: { labels: [] } })
  queries.setQueryData(
    ['tasks'],
    [{ name: 'some_task', modality: 'image', annotation: { kinds: ['box'] }, outputs: ['boxes'], metrics: [], options: [] }],
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <DiffItems items={items} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return userEvent.setup()
}

const changesIn = (element: Element) => [...element.querySelectorAll('svg [data-change]')].map((one) => one.getAttribute('data-change'))
const sides = (sides: object) => sides as Partial<DiffItem>
const moved = item(
  'moved.png',
  sides({ before: [box('car', 0), box('bus', 60)], after: [box('car', 4), box('bus', 60)], gone: [0], come: [0] }),
)
const gone = item('gone.png', sides({ kind: 'removed', before: [box('car', 0)], after: null, gone: [0] }))

it('draws on both pictures what changed and what stayed, and describes it in words', () => {
  open([moved])
  const thumbs = screen.getByRole('button', { name: 'Look closely at what changed on moved.png' })
  expect(changesIn(thumbs)).toEqual(['same', 'changed', 'same', 'changed'])
  expect(screen.getByText('1 changed')).toBeTruthy()
  expect(screen.getByText('1 as before')).toBeTruthy()
})

it('draws polygons, masks and key points in place of words', () => {
  const points = [
    [0, 0],
    [9, 0],
    [0, 9],
  ]
  const polygon = { kind: 'polygon', label: 'leaf', points }
  const mask = { kind: 'mask', label: 'leaf', width: 100, height: 80, counts: 'P1<m4' }
  const keypoints = { kind: 'keypoints', label: 'person', points: [{ name: 'head', x: 50, y: 40, visibility: 2 }] }
  open([item('all.png', sides({ before: [polygon], after: [polygon, mask, keypoints], gone: [], come: [1, 2] }))])
  const thumbs = screen.getByRole('button', { name: /all\.png/ })
  expect(changesIn(thumbs)).toEqual(['same', 'same', 'added', 'added'])
  const drawn = [...thumbs.querySelectorAll('svg [data-change] > path:nth-of-type(2)')].map((path) => path.getAttribute('d'))
  expect(drawn.slice(0, 2)).toEqual(['M0 0L9 0L0 9Z', 'M0 0L9 0L0 9Z'])
  expect(drawn[2]).toMatch(/^M.*Z$/)
  expect(thumbs.querySelectorAll('[data-filled]')).toHaveLength(1)
  expect([...thumbs.querySelectorAll('path')].filter((path) => path.getAttribute('d') === 'M50 40h0')).toHaveLength(2)
  // All of them are drawn: none is listed as text as well.
  expect(screen.getAllByText('leaf')).toHaveLength(1)
})

it('keeps words for what belongs to the whole picture', () => {
  open([item('day.png', sides({ before: [class_('day')], after: [class_('night')], gone: [0], come: [0] }))])
  expect(screen.queryByRole('button')).toBeNull()
  expect([screen.getByText('day'), screen.getByText('night')]).toHaveLength(2)
})

it('opens large, is walked by keys, and lays both states over each other', async () => {
  const user = open([moved, gone])
  await user.click(screen.getByRole('button', { name: /moved/ }))
  const dialog = await screen.findByRole('dialog')
  expect(
    within(dialog)
      .getAllByRole('img')
      .map((pane) => pane.getAttribute('viewBox')),
  ).toEqual(['0 0 100 80', '0 0 100 80'])
  await user.keyboard('+')
  const [one, other] = within(dialog)
    .getAllByRole('img')
    .map((pane) => pane.getAttribute('viewBox'))
  expect([one === other, one === '0 0 100 80']).toEqual([true, false])
  await user.keyboard('o')
  expect(
    within(dialog)
      .getAllByRole('img')
      .map((pane) => pane.getAttribute('aria-label')),
  ).toEqual(['moved.png, Before and after'])
  expect(changesIn(within(dialog).getByRole('img'))).toEqual(['same', 'changed', 'changed'])
  await user.keyboard('s')
  expect(changesIn(within(dialog).getByRole('img'))).toEqual(['changed', 'changed'])
  await user.keyboard('o{ArrowRight}')
  expect(within(dialog).getByText('It is not there any more.')).toBeTruthy()
  expect(within(dialog).getByText('2 of 2')).toBeTruthy()
})
