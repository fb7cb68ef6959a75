import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import i18next from 'i18next'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startI18n } from '../i18n'
import { projectKey } from '../lib/project/project'
import { useSetting } from './use-setting'

beforeAll(startI18n)
afterAll(() => i18next.changeLanguage('en'))

const side = {
  kind: 'choice',
  name: 'resolution_px',
  title: { en: 'Picture size', zh: '图片尺寸' },
  choices: [0, 128],
  choice_titles: { 0: { en: "the model's own", zh: '模型默认' } },
}
const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
queries.setQueryData(projectKey('prj_1'), { id: 'prj_1', task: 'image_classification', task_options: {} })
queries.setQueryData(['tasks'], [{ name: 'image_classification', families: [{ name: 'resnet', params: [side] }] }])

const settingOf = () =>
  renderHook(useSetting, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={['/projects/prj_1']}>
          <Routes>
            <Route path="/projects/:project" element={children} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    ),
  }).result.current

it('shows a choice in the words of its family, in both languages, and other values as they are', async () => {
  expect(settingOf()('resnet', 'resolution_px', 0)).toEqual(['Picture size', "the model's own"])
  expect(settingOf()('resnet', 'resolution_px', 128)).toEqual(['Picture size', '128'])
  expect(settingOf()('resnet', 'is_new', true)).toEqual(['is_new', 'yes'])
  expect(settingOf()('gone', 'lr', 0.000123456)).toEqual(['lr', '1.2e-4'])
  await i18next.changeLanguage('zh')
  expect(settingOf()('resnet', 'resolution_px', 0)).toEqual(['图片尺寸', '模型默认'])
})
