export default {
  title: 'Notices',
  lead: 'Mentions, answers, and work that was assigned to you or returned.',
  open_one: '{{count}} new notice',
  open_other: '{{count}} new notices',
  unread: 'New:',
  read_all: 'Mark all as read',
  all: 'All notices',
  to_tasks: 'My tasks',
  none: 'No notices yet',
  none_text: 'You are told here when somebody mentions you, answers you, assigns you work or returns a label.',
} as const
