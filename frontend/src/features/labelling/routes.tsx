import { IconTags } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'labelling', path: 'labelling', icon: IconTags, order: 30 }],
  routes: [{ path: 'labelling', lazy: () => import('./pages/labelling') }],
} satisfies Feature
