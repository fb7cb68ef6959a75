import { IconSettings } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'workspace',
  nav: [{ label: 'settings', path: 'settings', icon: IconSettings, order: 90, needs: 'annotator' }],
  routes: [{ path: 'settings', lazy: () => import('./pages/settings') }],
} satisfies Feature
