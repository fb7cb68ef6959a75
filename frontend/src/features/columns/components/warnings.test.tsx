import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'

import { setLanguage, startI18n } from '../../../i18n'
import type { Column } from '../../../lib/table/columns'
import type { ColumnWarning } from '../api/types'
import { Warnings } from './warnings'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})

const rare = (...names: string[]) =>
  ({
    code: 'rare_class',
    column: 'colour',
    share: 0.04,
    values: names.map((value, place) => ({ value, count: place + 1 })),
    num_values: names.length,
  }) as ColumnWarning

function open(warning: ColumnWarning, canChange = true) {
  const columns: Column[] = [{ name: 'colour', kind: 'category', role: 'target', decimal: '.', datetime_format: '', units: [] }]
  render(
    <MantineProvider env="test">
      <MemoryRouter>
        <Warnings warnings={[warning]} columns={columns} canChange={canChange} onRole={vi.fn()} onOpen={vi.fn()} />
      </MemoryRouter>
    </MantineProvider>,
  )
  return userEvent.setup()
}

it('reports all rare categories in one line with one remedy, and of the rest on demand', async () => {
  const user = open(rare('a', 'b', 'c', 'd', 'e', 'f', 'g'))
  const line = screen.getByRole('listitem')
  expect(line.textContent).toContain('7 categories have too few rows to learn from')
  expect(line.textContent).toContain('a (1), b (2), c (3), d (4), e (5) and 2 more')
  expect(screen.getAllByRole('link', { name: 'Merge categories' })).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Show all of them' }))
  expect(line.textContent).toContain('f (6), g (7).')
  await user.click(screen.getByRole('button', { name: 'Show fewer of them' }))
  expect(line.textContent).toContain('and 2 more')
})

it('folds nothing where the few are shown anyway, and offers no remedy to who may only look', () => {
  open(rare('a'), false)
  expect(screen.getByRole('listitem').textContent).toContain('The category a (1) has too few rows')
  expect(screen.queryByRole('button', { name: 'Show all of them' })).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
})
