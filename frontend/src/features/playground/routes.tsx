import { IconPencil } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'workspace',
  further: [{ label: 'common:nav.playground', path: 'playground', icon: IconPencil }],
  routes: [{ path: 'playground', lazy: () => import('./pages/playground') }],
} satisfies Feature
