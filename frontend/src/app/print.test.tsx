import { expect, it } from 'vitest'

import { printInLight } from './print'

it('prints in light colours and shows the chosen ones again', () => {
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme')
  document.documentElement.setAttribute('data-mantine-color-scheme', 'dark')
  printInLight()
  window.dispatchEvent(new Event('beforeprint'))
  expect(scheme()).toBe('light')
  window.dispatchEvent(new Event('afterprint'))
  expect(scheme()).toBe('dark')
})
