import { IconBuilding, IconGauge, IconHistory, IconKey, IconLock, IconSettings, IconUser, IconUsers } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'workspace',
  nav: [{ label: 'settings', path: 'settings', icon: IconSettings, order: 90, needs: 'annotator' }],
  further: [
    { label: 'settings:profile.title', path: 'settings?tab=profile', icon: IconUser, needs: 'annotator' },
    { label: 'settings:security.title', path: 'settings?tab=security', icon: IconLock, needs: 'annotator' },
    { label: 'settings:members.title', path: 'settings?tab=members', icon: IconUsers },
    { label: 'settings:workspace.title', path: 'settings?tab=workspace', icon: IconBuilding, needs: 'owner' },
    { label: 'settings:keys.title', path: 'settings?tab=keys', icon: IconKey, needs: 'owner' },
    { label: 'settings:usage.title', path: 'settings?tab=usage', icon: IconGauge, needs: 'owner' },
    { label: 'settings:audit.title', path: 'settings?tab=audit', icon: IconHistory, needs: 'owner' },
  ],
  routes: [{ path: 'settings', lazy: () => import('./pages/settings') }],
} satisfies Feature
