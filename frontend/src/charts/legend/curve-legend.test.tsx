import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'

import { CurveLegend, curveProps } from './curve-legend'

const entries = [
  { label: 'cat', color: '#f00', value: '0.91' },
  { label: 'dog', color: '#0f0', value: '0.87' },
]

function Chart() {
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <MantineProvider env="test">
      <CurveLegend entries={entries} chosen={chosen} onChoose={setChosen} />
      {entries.map(({ label }) => (
        <i key={label} data-testid={label} {...curveProps(label, chosen)} />
      ))}
    </MantineProvider>
  )
}

it('brings a curve forward by a press or a key, and lets it go again', async () => {
  render(<Chart />)
  const user = userEvent.setup()
  const faded = () => entries.filter(({ label }) => screen.getByTestId(label).dataset.faded).map(({ label }) => label)
  await user.click(screen.getByRole('button', { name: /cat/ }))
  expect([faded(), screen.getByRole('button', { name: /cat/ }).getAttribute('aria-pressed')]).toEqual([['dog'], 'true'])
  await user.tab()
  await user.keyboard('{Enter}')
  expect(faded()).toEqual(['cat'])
  await user.keyboard('{Enter}')
  expect(faded()).toEqual([])
})
