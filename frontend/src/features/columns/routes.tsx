import { IconColumns3 } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'columns', path: 'columns', icon: IconColumns3, order: 22 }],
  routes: [{ path: 'columns', lazy: () => import('./pages/columns') }],
} satisfies Feature
