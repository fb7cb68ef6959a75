import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setItemKind, setLanguage, startI18n } from '../../../i18n'
import { ApiError } from '../../../lib/api/errors'
import { projectKey } from '../../../lib/project/project'
import { InMemoryTransport } from '../model/in-memory-transport'
import { UploadQueue } from '../model/upload-queue'
import { QueuePanel } from './queue-panel'

beforeAll(async () => {
  startI18n()
  await setLanguage('en')
  await setItemKind('image')
})
afterEach(() => vi.unstubAllGlobals())

const counts = { num_items: 4, num_labelled: 0, num_duplicates: 1 }
const refused = (name: string) => ({ name, code: 'x', is_note: false, reason: { en: 'Cut off.', zh: '' } })

function open(answers: Record<string, unknown>) {
  const requests: Request[] = []
  vi.stubGlobal('fetch', (request: Request) => {
    requests.push(request.clone())
    const { pathname } = new URL(request.url)
    return Promise.resolve(Response.json(answers[pathname] ?? {}))
  })
  const transport = new InMemoryTransport()
  const queue = new UploadQueue(transport)
  const onExplain = vi.fn()
  const onMore = vi.fn()
  const client = newQueryClient()
  // The page shows the panel once it knows these.
  client.setQueryData(['tasks'], [TASK])
  client.setQueryData(projectKey('prj_1'), PROJECT)
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <MemoryRouter initialEntries={['/projects/prj_1/data']}>
          <Routes>
            <Route
              path="/projects/:project/data"
              element={<QueuePanel queue={queue} dataset="dst_1" onExplain={onExplain} onMore={onMore} />}
            />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { queue, transport, onExplain, onMore, requests }
}

const me = { id: 'usr_1', workspaces: [{ id: 'wsp_1', role: 'owner' }] }
const TASK = {
  name: 'image_classification',
  modality: 'image',
  annotation: { kinds: ['class'] },
  outputs: ['class_scores'],
  metrics: [],
  options: [],
}
const PROJECT = {
  id: 'prj_1',
  workspace: 'wsp_1',
  dataset: 'dst_1',
  task: 'image_classification',
  counts: { versions: 0 },
  label_set: { labels: [] },
}

it('reports what came and what was refused of an archive once it is read, with the reasons, and leads on', async () => {
  const { queue, onExplain, onMore } = open({
    '/api/auth/me': me,
    '/api/projects/prj_1': PROJECT,
    '/api/tasks': [TASK],
    '/api/datasets/dst_1/summary': { items: 9, annotated: 5, unlabelled: 4, size_bytes: 1 },
    '/api/datasets/dst_1/uploads': {
      items: [
        { id: 'parts.zip', dataset: 'dst_1', name: 'parts.zip', state: 'done', num_rejected: 4, num_noted: 2, ...counts },
        { id: 'older.zip', dataset: 'dst_1', name: 'older.zip', state: 'done', num_rejected: 9, num_noted: 9, ...counts },
      ],
      next_cursor: null,
    },
    '/api/datasets/dst_1/uploads/parts.zip/rejects': { items: ['1.jpg', '2.jpg', '3.jpg', '4.jpg'].map(refused), next_cursor: null },
  })
  queue.add([{ path: 'parts.zip', file: new File([new Uint8Array(9)], 'parts.zip') }], 'auto')
  expect(await screen.findByText('4 pictures added · 1 already existed')).toBeTruthy()
  expect(screen.getByText('4 refused · 2 with a note')).toBeTruthy()
  expect(await screen.findByText('2.jpg')).toBeTruthy()
  expect(screen.queryByText('4.jpg')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'and 3 more' }))
  expect(onExplain).toHaveBeenCalledOnce()
  expect((await screen.findByRole('link', { name: 'Label 4 pictures' })).getAttribute('href')).toBe('/projects/prj_1/labelling')
  expect(screen.getByRole('link', { name: 'Train a model' }).getAttribute('href')).toBe('/projects/prj_1/versions?new')
  fireEvent.click(screen.getByRole('button', { name: 'Add more' }))
  expect(onMore).toHaveBeenCalledOnce()
})

it('takes the labels back that folders gave, for nobody was asked before', async () => {
  const { queue, requests } = open({
    '/api/auth/me': me,
    '/api/projects/prj_1': PROJECT,
    '/api/tasks': [TASK],
    '/api/datasets/dst_1/uploads': { items: [], next_cursor: null },
    '/api/datasets/dst_1/bulk': { id: 'blk_1', num_items: 2, job: null },
  })
  queue.add(
    ['may/1.jpg', 'june/2.jpg'].map((path) => ({ path, file: new File([path], path) })),
    'folder',
  )
  const panel = await screen.findByRole('region', { name: 'Upload finished' })
  expect(await within(panel).findByText('The folder names became labels: june and may.')).toBeTruthy()
  fireEvent.click(within(panel).getByRole('button', { name: 'Remove these labels' }))
  await vi.waitFor(() => expect(screen.queryByText(/became labels/)).toBeNull())
  const sent = requests.find(({ method, url }) => method === 'POST' && url.endsWith('/bulk'))
  expect(await sent?.json()).toEqual({ change: { kind: 'label', annotations: null }, items: ['itm_may/1.jpg', 'itm_june/2.jpg'] })
})

it('says in full, and in the language of the page, why the server took no more', async () => {
  const { queue, transport } = open({
    '/api/projects/prj_1': PROJECT,
    '/api/tasks': [TASK],
    '/api/datasets/dst_1/uploads': { items: [], next_cursor: null },
  })
  await setLanguage('zh')
  try {
    const params = { context: 'announced', size_bytes: 83886080, free_bytes: 96500224, awaited_bytes: 40000000 }
    transport.before = () => {
      throw new ApiError(507, 'storage_full', 'The disk is full', 'English', 'English', {}, {}, params)
    }
    queue.add([{ path: 'a.zip', file: new File(['a'], 'a.zip') }], 'none')
    const panel = await screen.findByRole('region', { name: '上传未完成' })
    expect(within(panel).getByRole('alert').textContent).toContain('请等待其他上传结束，联系服务器管理员清理空间，或减少上传的内容。')
  } finally {
    await setLanguage('en')
  }
})
