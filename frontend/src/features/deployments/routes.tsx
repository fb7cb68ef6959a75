import { IconRocket } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'deployments', path: 'deployments', icon: IconRocket, order: 70 }],
  routes: [
    { path: 'deployments', lazy: () => import('./pages/deployments') },
    { path: 'deployments/:deployment', lazy: () => import('./pages/deployment') },
  ],
} satisfies Feature
