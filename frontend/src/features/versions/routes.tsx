import { IconStack2 } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'versions', path: 'versions', icon: IconStack2, order: 40 }],
  routes: [
    { path: 'versions', lazy: () => import('./pages/versions') },
    { path: 'versions/archive', lazy: () => import('./pages/archive') },
    { path: 'versions/compare', lazy: () => import('./pages/compare') },
    { path: 'versions/:version', lazy: () => import('./pages/version') },
  ],
} satisfies Feature
