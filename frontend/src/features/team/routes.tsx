import { IconChecks, IconMessages, IconUsers, IconUsersGroup } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'team', path: 'team', icon: IconUsersGroup, order: 35 }],
  further: [
    { label: 'team:review.title', path: 'team/review', icon: IconChecks, needs: 'labeller' },
    { label: 'team:open.title', path: 'team?tab=open', icon: IconMessages },
    { label: 'team:person.title', path: 'team?tab=people', icon: IconUsers },
  ],
  routes: [
    { path: 'team', lazy: () => import('./pages/team') },
    { path: 'team/review', lazy: () => import('./pages/review') },
    { path: 'team/:campaign', lazy: () => import('./pages/campaign') },
  ],
} satisfies Feature
