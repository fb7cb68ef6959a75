import { IconDevices } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'devices', path: 'devices', icon: IconDevices, order: 72 }],
  routes: [{ path: 'devices', lazy: () => import('./pages/devices') }],
} satisfies Feature
