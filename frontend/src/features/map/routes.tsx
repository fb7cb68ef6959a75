import { IconChartDots3 } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'map', path: 'map', icon: IconChartDots3, order: 25 }],
  routes: [{ path: 'map', lazy: () => import('./pages/map') }],
} satisfies Feature
