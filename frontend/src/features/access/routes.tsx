import { IconLockAccess } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'access', path: 'access', icon: IconLockAccess, order: 95 }],
  routes: [{ path: 'access', lazy: () => import('./pages/access') }],
} satisfies Feature
