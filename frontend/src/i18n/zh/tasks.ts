export default {
  title: '我的标注任务',
  lead: '分配给您标注的$t(noun:one)。',
  empty: '暂无标注任务',
  empty_text: '有人向您分配$t(noun:one)后，会显示在这里。',
  to_projects: '全部项目',
  start: '开始',
  go_on: '继续',
  done: '您已完成',
  closed: '已关闭',
  progress: '已完成 {{mine}}，待标注 {{open}}',
  until: '截止 {{day}}',
  overdue: '已于 {{day}} 到期',
}
