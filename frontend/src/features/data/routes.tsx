import { IconDatabase } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'data', path: 'data', icon: IconDatabase, order: 20 }],
  routes: [{ path: 'data', lazy: () => import('./pages/data') }],
} satisfies Feature
