import type { Feature } from '../../app/feature'

export default {
  scope: 'public',
  routes: [
    { path: 'sign-in', lazy: () => import('./pages/sign-in') },
    { path: 'sign-up', lazy: () => import('./pages/sign-up') },
    { path: 'forgot-password', lazy: () => import('./pages/forgot-password') },
    { path: 'new-password', lazy: () => import('./pages/new-password') },
    { path: 'confirm-email', lazy: () => import('./pages/confirm-email') },
    { path: 'invitation', lazy: () => import('./pages/invitation') },
  ],
} satisfies Feature
