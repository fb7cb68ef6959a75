import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, expect, it, vi } from 'vitest'

import { setLanguage, startI18n } from '../../../i18n'
import type { Column } from '../../../lib/table/columns'
import { type ColumnFilter, NO_COLUMN_FILTER } from '../model/cell-tests'
import { ColumnMenu } from './column-menu'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})

const column = (kind: Column['kind']): Column => ({ name: 'age', kind, role: 'feature', decimal: '.', units: [], datetime_format: '' })

function shown(kind: Column['kind']) {
  const [onSort, onFilter, onGridKey] = [vi.fn(), vi.fn(), vi.fn()]
  function Head() {
    const [direction, setDirection] = useState<'ascending' | 'descending' | null>(null)
    const [filter, setFilter] = useState<ColumnFilter>(NO_COLUMN_FILTER)
    return (
      <MantineProvider env="test">
        <div onKeyDown={onGridKey}>
          <ColumnMenu
            column={column(kind)}
            direction={direction}
            filter={filter}
            known={['Ulm', 'Bonn']}
            onSort={(next) => (onSort(next), setDirection(next))}
            onFilter={(next) => (onFilter(next), setFilter(next))}
          >
            age
          </ColumnMenu>
        </div>
      </MantineProvider>
    )
  }
  render(<Head />)
  return { user: userEvent.setup(), onSort, onFilter, onGridKey, head: screen.getByRole('button', { name: 'age: sort or filter' }) }
}

it('sorts by keys alone, again the other way, and not any more', async () => {
  const { user, onSort, onGridKey, head } = shown('number')
  await user.tab()
  expect(document.activeElement).toBe(head)
  await user.keyboard('{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Largest first' }))
  expect(onSort).toHaveBeenLastCalledWith('descending')
  await waitFor(() => expect(document.activeElement).toBe(head))
  await user.keyboard('{Enter}')
  const chosen = await screen.findByRole('button', { name: 'Largest first' })
  expect(chosen.getAttribute('aria-pressed')).toBe('true')
  await user.click(chosen)
  expect(onSort).toHaveBeenLastCalledWith(null)
  expect(onGridKey).not.toHaveBeenCalled()
})

it('asks for a range of numbers, leaves missing cells out, and asks for nothing again', async () => {
  const { user, onFilter, head } = shown('number')
  await user.click(head)
  await user.type(await screen.findByRole('textbox', { name: 'From' }), '30')
  await user.click(screen.getByRole('radio', { name: 'Hide' }))
  await user.type(screen.getByRole('textbox', { name: 'To' }), '60{Enter}')
  expect(onFilter).toHaveBeenLastCalledWith({ ...NO_COLUMN_FILTER, from: '30', to: '60', missing: 'none' })
  await user.click(head)
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'From' })).value).toBe('30')
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  expect(onFilter).toHaveBeenLastCalledWith(NO_COLUMN_FILTER)
})

it('offers the values of a category', async () => {
  const { user, onFilter, head } = shown('category')
  await user.click(head)
  await user.type(await screen.findByLabelText('One of', { selector: 'input' }), 'bo')
  await user.click(await screen.findByRole('option', { name: 'Bonn' }))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(onFilter).toHaveBeenLastCalledWith({ ...NO_COLUMN_FILTER, values: ['Bonn'] })
})
