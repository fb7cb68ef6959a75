/** What people and keys may be, named before the sign-in too. */
export default {
  title: 'Role',
  owner: { name: 'Owner', text: 'everything, people and keys included' },
  engineer: { name: 'Engineer', text: 'data, training, models and deployments' },
  annotator: { name: 'Guest labeller', text: 'labels what a campaign assigns to them and sees nothing else' },
  labeller: { name: 'Labeller', text: 'sees everything, labels and reviews' },
  viewer: { name: 'Viewer', text: 'views everything, changes nothing' },
  guest: { name: 'Project guest', text: 'sees only the projects that name them' },
} as const
