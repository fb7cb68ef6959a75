import { IconHome } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'overview', path: '', icon: IconHome, order: 0 }],
  routes: [{ index: true, lazy: () => import('./pages/overview') }],
} satisfies Feature
