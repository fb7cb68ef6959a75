import { IconLayoutGrid } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'workspace',
  nav: [{ label: 'projects', path: 'projects', icon: IconLayoutGrid, order: 10 }],
  routes: [{ path: 'projects', lazy: () => import('./pages/projects') }],
} satisfies Feature
