import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'

import { useEarlyKeys, useLooseKeys } from './use-loose-keys'

function Page({ isReady, onKey }: { isReady: boolean; onKey: (key: string) => void }) {
  useEarlyKeys(isReady, ({ key }) => key !== 'F5')
  useLooseKeys(({ key }) => onKey(key))
  return (
    <>
      <a href="#data">Data</a>
      <input aria-label="search" />
      <button>Upload</button>
    </>
  )
}

it('lets keys go in their order as soon as there is something for them', async () => {
  vi.useFakeTimers()
  const onKey = vi.fn()
  const { rerender } = render(<Page isReady={false} onKey={onKey} />)
  for (const key of ['ArrowRight', 'F5', 'ArrowDown']) fireEvent.keyDown(document.body, { key })
  expect(onKey.mock.calls.flat()).toEqual(['F5'])
  rerender(<Page isReady onKey={onKey} />)
  await act(() => vi.advanceTimersByTimeAsync(20))
  // What is pressed meanwhile comes after what was pressed before.
  fireEvent.keyDown(document.body, { key: '1' })
  await act(() => vi.advanceTimersByTimeAsync(500))
  expect(onKey.mock.calls.flat()).toEqual(['F5', 'ArrowRight', 'ArrowDown', '1'])
  fireEvent.keyDown(document.body, { key: '2' })
  expect(onKey).toHaveBeenLastCalledWith('2')
  vi.useRealTimers()
})

it('leaves keys to what has the focus, but for a link that was followed', async () => {
  const onKey = vi.fn()
  render(<Page isReady={false} onKey={onKey} />)
  const user = userEvent.setup()
  await user.type(screen.getByRole('textbox'), 'ab')
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('ab')
  await user.tab()
  await user.keyboard('{ArrowDown}')
  expect(onKey).not.toHaveBeenCalled()
})
