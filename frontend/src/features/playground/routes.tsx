import type { Feature } from '../../app/feature'

export default {
  scope: 'workspace',
  routes: [{ path: 'playground', lazy: () => import('./pages/playground') }],
} satisfies Feature
