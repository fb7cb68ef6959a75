import { IconTags } from '@tabler/icons-react'

import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  nav: [{ label: 'labelling', path: 'labelling', icon: IconTags, order: 30 }],
  // What an earlier page left unsent is sent from any page.
  onSignedIn: (person) => void import('./api/saving').then(({ savingOf }) => savingOf(person)),
  routes: [{ path: 'labelling', lazy: () => import('./pages/labelling') }],
} satisfies Feature
