import { useComputedColorScheme } from '@mantine/core'

import type { Scheme } from './palette'

/** The colour scheme that is shown now. */
export function useScheme(): Scheme {
  return useComputedColorScheme('light')
}
