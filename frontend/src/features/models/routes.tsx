import { IconBox } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'models', path: 'models', icon: IconBox, order: 60 }],
  routes: [
    { path: 'models', lazy: () => import('./pages/models') },
    { path: 'models/compare', lazy: () => import('./pages/compare') },
    { path: 'models/:artefact', lazy: () => import('./pages/model') },
  ],
} satisfies Feature
