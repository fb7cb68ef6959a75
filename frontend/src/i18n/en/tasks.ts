export default {
  title: 'My tasks',
  lead: 'What you are asked to label.',
  empty: 'Nothing is waiting for you',
  empty_text: '$t(noun:Other) that are assigned to you appear here.',
  to_projects: 'All projects',
  start: 'Start',
  go_on: 'Continue',
  done: 'You are done',
  closed: 'Closed',
  progress: '{{mine}} done, {{open}} open',
  until: 'until {{day}}',
  overdue: 'was due on {{day}}',
}
