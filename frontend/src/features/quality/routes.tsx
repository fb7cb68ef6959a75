import { IconShieldCheck } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'quality', path: 'quality', icon: IconShieldCheck, order: 35 }],
  routes: [{ path: 'quality', lazy: () => import('./pages/quality') }],
} satisfies Feature
