import type { Feature } from '../../app/feature'

export default {
  scope: 'public',
  routes: [
    { path: 'sign-in', lazy: () => import('./pages/sign-in') },
    { path: 'sign-up', lazy: () => import('./pages/sign-up') },
  ],
} satisfies Feature
