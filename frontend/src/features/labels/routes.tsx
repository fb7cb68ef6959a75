import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  routes: [{ path: 'labelling/labels', lazy: () => import('./pages/labels') }],
} satisfies Feature
