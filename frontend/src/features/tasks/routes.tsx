import { IconClipboardList } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'workspace',
  nav: [{ label: 'tasks', path: 'tasks', icon: IconClipboardList, order: 5, needs: 'annotator' }],
  routes: [{ path: 'tasks', lazy: () => import('./pages/tasks') }],
} satisfies Feature
