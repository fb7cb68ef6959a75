import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { beforeAll, expect, it } from 'vitest'

import { newQueryClient } from '../../../app/queries'
import { setItemKind, setLanguage, startI18n } from '../../../i18n'
import type { Task } from '../../../lib/api/types'
import { NO_LABEL } from '../model/coloring'
import { Legend } from './legend'

beforeAll(() => startI18n())

const none = () => undefined
const entry = { name: NO_LABEL, isKey: true, color: '#868e96', count: 7 }

/** The legend in a project of a task whose annotations are of this kind. */
function open(modality: Task['modality'], kind: string) {
  const queries = newQueryClient()
  queries.setQueryData(['project', 'prj_1'], { id: 'prj_1', task: 'some_task', task_options: {} })
  queries.setQueryData(
    ['tasks'],
    [
      {
        name: 'some_task',
        modality,
        annotation: { kinds: [kind] },
        outputs: [kind === 'box' ? 'boxes' : 'class_scores'],
        metrics: [],
        options: [],
      },
    ],
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={['/projects/prj_1']}>
          <Routes>
            <Route
              path="/projects/:project"
              element={<Legend by="label" onBy={none} legend={[entry]} isHidden={[false]} onToggle={none} onSelect={none} />}
            />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

it.each([
  ['image', 'class', 'none of the labels', '不属于任何标签'],
  ['image', 'box', 'nothing there', '无目标'],
  ['text', 'class', 'none of the labels', '不属于任何标签'],
  ['tabular', 'class', 'no target', '无目标值'],
] as const)('shows of an item of %s that holds no %s what the other pages say', async (modality, kind, english, chinese) => {
  await setLanguage('en')
  await setItemKind(modality)
  open(modality, kind)
  expect(screen.getByRole('button', { name: `${english} 7` })).toBeTruthy()
  await setLanguage('zh')
  expect(await screen.findByRole('button', { name: `${chinese} 7` })).toBeTruthy()
})
