import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'

import { setLanguage, startI18n } from '../../../i18n'
import type { AlteredScore, Robustness } from '../api/types'
import { RobustnessTable } from './robustness-table'

beforeAll(async () => {
  await startI18n()
  await setLanguage('en')
})

const step = (measured: number, worseBy: number, isWorse: boolean): AlteredScore => ({
  strength: { en: 'quality 20', zh: '质量 20' },
  measured,
  interval: [measured - 0.1, measured + 0.1],
  worse_by: worseBy,
  worse_by_interval: [worseBy - 0.05, worseBy + 0.05],
  is_worse: isWorse,
  example: null,
})

const report: Robustness = {
  schema_version: 1,
  split: 'test',
  measure: 'accuracy',
  is_higher_better: true,
  num_items: 53,
  num_in_split: 53,
  value: 0.9,
  interval: [0.8, 0.95],
  example: null,
  alterations: [
    {
      name: 'compression',
      title: { en: 'JPEG compression', zh: 'JPEG 压缩' },
      steps: [step(0.9, 0, false), step(0.85, 0.05, false), step(0.6, 0.3, true)],
    },
  ],
}

it('shows what is lost, in points, only where the loss is sure', () => {
  render(
    <MantineProvider env="test">
      <RobustnessTable report={report} />
    </MantineProvider>,
  )
  expect(screen.getByText(/In 1 of 1 kinds of alteration/)).toBeTruthy()
  expect(screen.getAllByText(/worse\)$/).map((each) => each.textContent)).toEqual(['(30 points worse)'])
  expect(screen.getByText('60.0%').parentElement?.title).toBe('Difference: 25 points to 35 points (95% interval)')
})
