import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it } from 'vitest'

import { setLanguage, startI18n } from '../../../i18n'
import type { Advice, GainCurve, SubjectAdvice } from '../api/types'
import { AdviceList } from './advice-list'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})

const curve = (measure: string, gain: number, reach: number): GainCurve => ({
  measure,
  is_higher_better: true,
  samples: [
    { num_items: 40, value: 0.7, interval: [0.66, 0.74] },
    { num_items: 96, value: 0.8, interval: [0.77, 0.83] },
  ],
  fitted: [
    { num_items: 40, value: 0.7, interval: [0.7, 0.7] },
    { num_items: 240, value: 0.84, interval: [0.8, 0.88] },
  ],
  forecasts: [{ num_more: 60, gain, interval: [gain - reach, gain + reach] }],
  back_test: 0.002,
})

const subject = (label: string | null, verdict: SubjectAdvice['verdict'], gain: number, reach: number): SubjectAdvice => ({
  label,
  num_items: 120,
  verdict,
  own: label === null ? null : curve('f1', gain, reach),
  objective: curve('f1_macro', gain / 8, reach / 8),
})

const advice: Advice = {
  schema_version: 1,
  objective: 'f1_macro',
  num_items: 400,
  num_used: 400,
  num_draws: 4,
  least_items: 15,
  level: 0.9,
  overall: subject(null, 'flat', 0.004, 0.01),
  labels: [
    subject('scratch', 'gain', 0.031, 0.019),
    subject('dent', 'unclear', 0.01, 0.03),
    { label: 'rust', num_items: 8, verdict: 'too_few', own: null, objective: null },
  ],
  num_left_out: 0,
}

it('names gains with their intervals, and promises nothing where nothing is known', () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <MemoryRouter>
          <AdviceList advice={advice} project="prj_1" metric="Macro F1" />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  const rows = screen.getAllByRole('button', { pressed: false }).concat(screen.getAllByRole('button', { pressed: true }))
  const text = rows.map((row) => row.textContent).join('|')
  expect(text).toContain('60 more of scratch: +3.1 points of its F1 (+1.2 to +5.0)')
  expect(text).toContain('Macro F1: +0.39 points')
  expect(text).toContain('dent: too uncertain to say (60 more: −2.0 to +4.0 points of its F1)')
  expect(text).toContain('rust: too few to say; it takes 15')
  expect(screen.getByRole('button', { pressed: true }).textContent).toContain('scratch')

  fireEvent.click(screen.getByRole('button', { name: /rust/ }))
  expect(screen.getByText(/rust has 8/).textContent).toContain('A learning curve takes 15')
})
