import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it } from 'vitest'

import { setLanguage, startI18n } from '../../../i18n'
import type { ProjectCard as Card, Task } from '../../../lib/api/types'
import { ProjectCard } from './project-card'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})

const TASK = {
  name: 'image_classification',
  modality: 'image',
  title: { en: 'Image classification', zh: '图像分类' },
  metrics: [{ name: 'accuracy', title: { en: 'Accuracy', zh: '准确率' } }],
} as Task
const PROJECT: Card = {
  id: 'prj_1',
  workspace: 'wsp_1',
  name: 'Birds',
  description: '',
  task: 'image_classification',
  task_options: {},
  label_set: { labels: [] },
  overlap: null,
  dataset: 'dst_1',
  created_at: '2026-01-01T00:00:00Z',
  deleted_at: null,
  is_restricted: false,
  role: 'owner' as const,
  counts: { items: 10, annotated: 4, versions: 1, studies: 1, artefacts: 2, deployments: 1 },
  active_at: new Date().toISOString(),
  items: [{ text: null, row: null, thumbnail_url: '/api/items/itm_1/thumbnail' }],
  figure: { artefact: 'art_1', number: 2, metric: 'accuracy', split: 'test', value: 0.934, num_items: 200 },
}
const shown = (project: Card) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <ProjectCard project={project} task={TASK} canChange />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  ).container

it('shows the data, how much is labelled, and the best model with its metric', () => {
  const card = shown(PROJECT)
  expect(card.querySelector('img')?.getAttribute('src')).toBe('/api/items/itm_1/thumbnail')
  expect(screen.getByText('Accuracy, test')).toBeTruthy()
  expect(screen.getByText('93.4%')).toBeTruthy()
  expect(screen.getByText('4 of 10 labelled')).toBeTruthy()
  expect(screen.getByText('2 models · 1 deployment')).toBeTruthy()
})

it('shows no value that was measured on a handful', () => {
  shown({ ...PROJECT, figure: { artefact: 'art_1', number: 2, metric: 'accuracy', split: 'test', value: 1, num_items: 7 } })
  expect(screen.getByText('too few to tell')).toBeTruthy()
  expect(screen.queryByText('100%')).toBeNull()
})

it('shows the drawing of the task where there is no data, and no figure', () => {
  const card = shown({ ...PROJECT, items: [], figure: null, counts: { ...PROJECT.counts, items: 0, annotated: 0, artefacts: 0 } })
  expect(card.querySelector('img')?.getAttribute('src')).toBe('/api/tasks/image_classification/illustration')
  expect(screen.getByText('No data yet')).toBeTruthy()
  expect(screen.queryByRole('progressbar')).toBeNull()
})
