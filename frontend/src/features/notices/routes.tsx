import { IconBell } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'workspace',
  further: [{ label: 'notices:title', path: 'notices', icon: IconBell, needs: 'annotator' }],
  routes: [{ path: 'notices', lazy: () => import('./pages/notices') }],
} satisfies Feature
