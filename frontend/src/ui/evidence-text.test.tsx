import { MantineProvider } from '@mantine/core'
import { render } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'

import { startI18n } from '../i18n'
import { EvidenceText } from './evidence-text'

beforeAll(startI18n)

const segment = (start: number, end: number, fall: number, weight: number) => ({ start, end, fall, weight })

function shown(...segments: ReturnType<typeof segment>[]) {
  const { container, getByRole } = render(
    <EvidenceText text="a lovely film, badly cut" evidence={{ label: 'good', segments, grid: null }} />,
    {
      wrapper: ({ children }) => <MantineProvider>{children}</MantineProvider>,
    },
  )
  const text = getByRole('region')
  return { container, text, marks: [...text.querySelectorAll('mark')] }
}

it('marks what counts for and against, stronger where it counts more, and shows the whole text', () => {
  const { text, marks } = shown(segment(0, 2, 0, 0), segment(2, 9, 0.4, 1), segment(9, 15, 0.1, 0.25), segment(15, 24, -0.2, -0.5))
  expect(text.textContent).toBe('a lovely film, badly cut')
  expect(marks.map((mark) => mark.textContent)).toEqual(['lovely', 'film,', 'badly cut'])
  expect(marks.map((mark) => mark.hasAttribute('data-against'))).toEqual([false, false, true])
  const [most, least, against] = marks.map((mark) => parseFloat(mark.style.getPropertyValue('--strength')))
  expect(most).toBeGreaterThan(against as number)
  expect(against).toBeGreaterThan(least as number)
})

it('shows it where nothing counts by itself', () => {
  const { container, marks } = shown(segment(0, 24, 0, 0))
  expect(marks).toEqual([])
  expect(container.textContent).toContain('No single part moves the score')
})
