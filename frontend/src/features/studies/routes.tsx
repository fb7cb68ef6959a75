import { IconFlask, IconPlus } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'studies', path: 'studies', icon: IconFlask, order: 50 }],
  further: [{ label: 'studies:form.title', path: 'studies/new', icon: IconPlus, needs: 'engineer' }],
  routes: [
    { path: 'studies', lazy: () => import('./pages/studies') },
    { path: 'studies/new', lazy: () => import('./pages/new-study') },
    { path: 'studies/:study', lazy: () => import('./pages/study') },
  ],
} satisfies Feature
