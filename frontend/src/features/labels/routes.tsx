import { IconTag } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  further: [{ label: 'common:nav.labels', path: 'labelling/labels', icon: IconTag }],
  routes: [{ path: 'labelling/labels', lazy: () => import('./pages/labels') }],
} satisfies Feature
