export default {
  title: '项目',
  create: '新建项目',
  name: '名称',
  name_example: '例如：外壳划痕检测',
  description: '描述',
  task: '要学习什么？',
  labelled: '已标注 {{annotated}} / {{items}}',
  models_other: '{{count}} 个模型',
  services_other: '{{count}} 个服务',
  empty: {
    title: '还没有项目',
    text: '项目包含您的图片、标签以及由此训练的模型。向导会带您从第一张图片走到可调用的 API。',
  },
} as const
