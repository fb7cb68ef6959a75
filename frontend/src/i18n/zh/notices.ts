export default {
  title: '通知',
  lead: '提到您的评论、回复，以及分配给您或被退回的工作。',
  open_other: '{{count}} 条新通知',
  unread: '新：',
  read_all: '全部标为已读',
  all: '全部通知',
  to_tasks: '我的标注任务',
  none: '还没有通知',
  none_text: '有人提到您、回复您、给您分配工作或退回标注时，会在这里通知您。',
} as const
