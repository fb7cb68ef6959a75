import { IconBuildingStore } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'shelves', path: 'shelves', icon: IconBuildingStore, order: 73 }],
  routes: [
    { path: 'shelves', lazy: () => import('./pages/shelves') },
    { path: 'shelves/:shelf', lazy: () => import('./pages/shelf') },
  ],
} satisfies Feature
