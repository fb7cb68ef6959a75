import type { Feature } from '../../app/feature'

export default {
  scope: 'project',
  // Comments that an earlier page left unsent are sent from any page; the panel that writes them lies in `ui/comments`.
  onSignedIn: (person) => void import('../../lib/comments/sending').then(({ outboxOf }) => outboxOf(person)),
  routes: [],
} satisfies Feature
