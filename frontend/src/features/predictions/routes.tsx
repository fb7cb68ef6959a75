import { IconListDetails, IconPlus } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'predictions', path: 'predictions', icon: IconListDetails, order: 72 }],
  further: [{ label: 'predictions:form.title', path: 'predictions/new', icon: IconPlus, needs: 'engineer' }],
  routes: [
    { path: 'predictions', lazy: () => import('./pages/predictions') },
    { path: 'predictions/new', lazy: () => import('./pages/new-prediction') },
    { path: 'predictions/:prediction', lazy: () => import('./pages/prediction') },
  ],
} satisfies Feature
