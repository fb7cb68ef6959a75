import { IconForms } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'templates', path: 'templates', icon: IconForms, order: 72 }],
  routes: [
    { path: 'templates', lazy: () => import('./pages/templates') },
    { path: 'templates/:template', lazy: () => import('./pages/template') },
  ],
} satisfies Feature
