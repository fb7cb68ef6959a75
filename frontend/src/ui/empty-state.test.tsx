import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'

import { EmptyState } from './empty-state'

it('says in words what its drawing shows, and leads on', () => {
  const { container } = render(
    <MantineProvider env="test">
      <EmptyState drawing="versions" title="No version yet" action={<button>New version</button>}>
        Freeze your labels.
      </EmptyState>
    </MantineProvider>,
  )
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getByRole('button', { name: 'New version' })).toBeTruthy()
  expect(screen.getByText('Freeze your labels.')).toBeTruthy()
})
