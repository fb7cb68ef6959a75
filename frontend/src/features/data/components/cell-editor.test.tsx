import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'

import { setLanguage, startI18n } from '../../../i18n'
import { ApiError } from '../../../lib/api/errors'
import type { Column } from '../../../lib/table/columns'
import { CellEditor } from './cell-editor'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})

const column = (kind: Column['kind']): Column => ({ name: 'age', kind, role: 'feature', decimal: '.', units: [], datetime_format: '' })

function open(text: string, { kind = 'number', error }: { kind?: Column['kind']; error?: unknown } = {}) {
  const handlers = { onSave: vi.fn(), onCancel: vi.fn(), onAway: vi.fn() }
  const onKey = vi.fn()
  const { unmount } = render(
    <div onKeyDown={onKey}>
      <CellEditor column={column(kind)} text={text} error={error} {...handlers} />
    </div>,
    { wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider> },
  )
  return { ...handlers, onKey, unmount, user: userEvent.setup(), field: screen.getByRole<HTMLInputElement>('textbox', { name: /^age/ }) }
}

it.each([
  ['{Enter}', 0],
  ['{Tab}', 1],
  ['{Shift>}{Tab}{/Shift}', -1],
])('takes what is typed in place of what was there, and saves it by %s', async (key, step) => {
  const { user, onSave, onCancel, onAway, onKey, unmount, field } = open('41')
  expect(document.activeElement).toBe(field)
  await user.keyboard(`42${key}`)
  expect(onSave.mock.calls).toEqual([['42', step]])
  await user.keyboard('{Enter}')
  fireEvent.blur(field)
  unmount()
  expect(onSave).toHaveBeenCalledTimes(1)
  expect([onCancel, onAway, onKey].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0])
})

it('gives up by Escape', async () => {
  const { user, onSave, onCancel } = open('41')
  await user.keyboard('7{Escape}')
  expect([onSave.mock.calls.length, onCancel.mock.calls.length]).toEqual([0, 1])
})

it('leaves Enter to a method of input that is at work', () => {
  const { field, onSave } = open('上', { kind: 'category' })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  expect(onSave).not.toHaveBeenCalled()
})

it('keeps lines of texts, and begins one by Shift and Enter', async () => {
  const { user, onSave, field } = open('one\ntwo', { kind: 'text' })
  expect(field.value).toBe('one\ntwo')
  field.setSelectionRange(7, 7)
  await user.keyboard('{Shift>}{Enter}{/Shift}three{Enter}')
  expect(onSave.mock.calls).toEqual([['one\ntwo\nthree', 0]])
})

it('saves when another place is clicked, but not when another window is looked at', () => {
  const { field, onSave } = open('41')
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  fireEvent.blur(field)
  expect(onSave).not.toHaveBeenCalled()
  hasFocus.mockReturnValue(true)
  fireEvent.change(field, { target: { value: '43' } })
  fireEvent.blur(field)
  expect(onSave.mock.calls).toEqual([['43', null]])
})

it('hands over what was typed when the cell leaves the screen', () => {
  const { field, onAway, unmount } = open('41')
  fireEvent.change(field, { target: { value: '4' } })
  unmount()
  expect(onAway.mock.calls).toEqual([['4']])
})

it('shows why a text was refused until it is changed, and doubts what is no number', async () => {
  const error = new ApiError(422, 'cells_invalid', 'The cells cannot be so', 'The row holds no cells.', '')
  const { user } = open('', { error })
  expect(screen.getByRole('tooltip').textContent).toContain('The row holds no cells.')
  await user.keyboard('many')
  expect(screen.getByRole('tooltip').textContent).toContain('not a number')
  await user.keyboard('{Backspace>4/}12')
  expect(screen.getByRole('tooltip').textContent).toContain('Enter saves')
})
