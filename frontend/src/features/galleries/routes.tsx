import { IconPhotoSearch } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'galleries', path: 'galleries', icon: IconPhotoSearch, order: 71 }],
  routes: [
    { path: 'galleries', lazy: () => import('./pages/galleries') },
    { path: 'galleries/:gallery', lazy: () => import('./pages/gallery') },
  ],
} satisfies Feature
