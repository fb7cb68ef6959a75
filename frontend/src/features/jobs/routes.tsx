import { IconActivity } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'jobs', path: 'jobs', icon: IconActivity, order: 80 }],
  routes: [{ path: 'jobs', lazy: () => import('./pages/jobs') }],
} satisfies Feature
