export default {
  subtitle: '从第一张图片到可调用的 API。',
  guide: '向导',
  done: '已完成',
  problems: '数据还缺什么',
  ids: '项目编号：{{id}}',
  count: {
    items: '图片',
    annotated: '已标注',
    versions: '版本',
    studies: '训练',
    models: '模型',
    deployments: '服务',
  },
  step: {
    upload: {
      title: '上传图片',
      text: '拖入文件夹、压缩包或单张图片；文件夹名可作为标签。',
      done_other: '已有 {{count}} 张图片。',
      action: '上传',
    },
    label: {
      title: '标注',
      text: '按数字键选择标签，每一步立即保存。',
      done_other: '已标注 {{count}} 张。',
      action: '标注',
    },
    version: {
      title: '固定版本',
      text: '已标注图片的不可变快照，划分为训练集、验证集和测试集。',
      done_other: '{{count}} 个版本。',
      action: '版本',
    },
    train: {
      title: '训练',
      text: '选择版本并开始训练；开始前就能看到所需时间。',
      done_other: '{{count}} 次训练。',
      action: '训练',
    },
    report: {
      title: '阅读报告',
      text: '准确率有多高，错在哪里，逐张可查。',
      done_other: '{{count}} 个模型已有报告。',
      action: '报告',
    },
    deploy: {
      title: '发布',
      text: '模型拥有自己的访问地址。',
      done_other: '{{count}} 个服务。',
      action: '发布',
    },
    call: {
      title: '调用',
      text: '在浏览器中试用，或把一行代码复制到您的程序里。',
      done_other: '已应答 {{count}} 次调用。',
      action: '试用',
    },
  },
} as const
