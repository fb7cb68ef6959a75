export default {
  title: '任务',
  subtitle: '所有后台工作的进度与日志。',
  all: '全部',
  job: '任务',
  state: '状态',
  progress: '进度',
  created: '开始时间',
  cancel_named: '取消 {{title}}',
  stopping: '正在停止',
  attempts_other: '{{count}} 次尝试',
  attempt_of: '第 {{attempt}} 次尝试（最多 {{most}} 次）',
  log: '日志',
  log_empty: '还没有内容。',
  kind: {
    ingest: '导入',
    snapshot: '数据集版本',
    train: '训练',
    evaluate: '评估',
    export: '导出',
    feedback: '反馈',
  },
  stage: {
    load: '读取数据',
    cache: '打包图片',
    features: '计算特征',
    train: '训练',
    evaluate: '评估',
    export: '写出模型',
    parity: '核对模型',
    ingest: '导入',
    build: '构建',
    check: '核对',
  },
  failure: {
    job_invalid: {
      message: '无法按当前配置运行训练。',
      hint: '请检查模型系列、规格和参数，然后重新开始。',
    },
    data_invalid: {
      message: '该数据集版本无法使用。',
      hint: '请修正所列数据，创建新版本后重新开始。',
    },
    picture_unreadable: {
      message: '有图片无法读取。',
      hint: '请删除或替换该图片，创建新版本后重新开始。',
    },
    version_damaged: {
      message: '数据集版本的文件已损坏。',
      hint: '请重试；如果仍然出现，请创建新版本。',
    },
    asset_missing: {
      message: '缺少预训练权重。',
      hint: '请在联网的服务器上运行 `python manage.py assets`，或选择不需要预训练权重的模型系列。',
    },
    out_of_memory: {
      message: '内存不足。',
      hint: '请减小批大小、图片尺寸或模型，或减少同时运行的任务。',
    },
    disk_full: {
      message: '磁盘已满。',
      hint: '请释放服务器的磁盘空间，然后重新开始。',
    },
    nan_loss: {
      message: '训练发散。',
      hint: '请降低学习率；如果仍无改善，请检查是否有损坏的图片。',
    },
    parity_failed: {
      message: '导出的模型与训练的模型结果不一致。',
      hint: '这是程序缺陷，请附上日志反馈。',
    },
    internal_error: {
      message: '系统内部出错。',
      hint: '请重试；如果仍然出现，请附上日志反馈。',
    },
    worker_lost: {
      message: '执行该任务的工作进程已丢失。',
      hint: '请检查服务器内存是否充足，然后重试。',
    },
    worker_crashed: {
      message: '任务进程意外结束。',
      hint: '日志中有最后的输出。请重试；如果仍然出现，请附上日志反馈。',
    },
    worker_stalled: {
      message: '任务进程长时间没有响应。',
      hint: '日志中有最后的输出。请重试；如果仍然出现，请附上日志反馈。',
    },
    no_trial_succeeded: {
      message: '所有试验都被停止或取消。',
      hint: '请追加试验。',
    },
    no_trial_started: {
      message: '在开始任何试验之前训练就已结束。',
      hint: '请给予更多时间或选择其他模型系列，然后追加试验。',
    },
  },
  empty: { title: '没有任务', text: '导入、训练和导出开始后会立即显示在这里。' },
} as const
