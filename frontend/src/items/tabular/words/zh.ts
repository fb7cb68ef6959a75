/** 表格项目如何称呼其数据：名词与量词，以及不能仅靠替换名词得到的句子。“行”本身即为量词。 */
export default {
  noun: { one: '行', counted: '行', measure: '行', of: '个' },
  common: { nothing_labelled: '无目标值', nothing_drawn: '无目标值' },
  collect: {
    urls: {
      tab: '表格地址',
      label: '表格地址，每行一个',
      help: 'CSV、TSV、Excel、Parquet、Arrow、feather 或 JSONL 文件，也可放在 zip 中；其中的行会添加到数据中。',
      file: '打开地址列表',
    },
    folder: { help: '读取其中及所有下级文件夹的表格；留空则读取整个位置。' },
  },
  data: {
    drop: {
      title: '将表格拖到这里',
      text: '支持 CSV、TSV、Excel、Parquet、Arrow、feather、JSONL，也可放在 zip 中。第一行为列名；各列的含义会自动识别，之后可以修改。',
      files: '选择表格',
    },
    filter: { search: '搜索单元格', label: '属于以下任一类别', without: '不属于以下类别' },
    metadata: { text: '来源、批次、时期等用于区分各行的信息，之后可据此筛选，不参与训练。' },
    flags: { odd_size: '单元格数异常' },
    staged: { labels: '目标值' },
    gallery: { unlabelled: '目标值未知' },
    counts: { annotated: '目标值已知 {{count, number}}', unlabelled: '目标值未知 {{count, number}}' },
  },
  deployments: {
    try: { drop: '填写各列' },
    form: { keep: { uncertain_help: '模型不确定的行，便于之后补充目标值。' } },
  },
  jobs: {
    failure: { out_of_memory: { hint: '请选择更小的模型或使用更少行数的模型，或减少同时运行的后台任务。' } },
    stage: { look: '正在分析各列' },
  },
  labelling: {
    assist: { features: '正在读取各行：{{done}} / {{total}}' },
    empty: { title: '还没有数据', text: '请先上传表格，再在此补充缺少的目标值。', action: '上传表格' },
    keys: { label: '选择第 {{number}} 个类别并继续' },
    passed: { title: '有数据被跳过', text_other: '{{count, number}} 行已显示过，但尚无目标值。' },
    end: { title: '已到最后一行', text: '打开的数据已全部看完。尚无目标值的行仍在标注队列中。' },
    picker: {
      title: '类别',
      search: '查找类别',
      search_add: '查找或添加类别',
      empty: '还没有类别。请在上方输入名称并按回车。',
    },
    annotations: { unlabelled: '目标值未知', nothing: '无目标值' },
  },
  labels: {
    to_data: '选择预测目标',
    empty_text: '在这里添加，或选择要预测的列：其取值将成为类别。',
  },
  map: {
    lead: '内容相近的行彼此相邻。可圈选一组，也能快速发现异常。',
    looking: '正在读取各行',
  },
  overview: {
    subtitle: '从一张表格到可调用的 API。',
    all_done: '所有步骤均已完成：从一张表格到可调用的 API。',
    count: { items_other: '行', annotated: '目标值已知' },
    step: {
      upload: {
        title: '上传表格',
        text: '拖入 CSV、Excel、Parquet 或 JSONL 文件，列及其含义会自动识别。',
        done_other: '已有 {{count}} 行。',
      },
      label: {
        action: '选择',
        title: '选择要预测的列',
        text: '其中一列作为预测目标；目标值为空的行可以人工补充。',
        done_other: '{{count}} 行已有目标值。',
      },
      report: { text: '准确程度如何，取决于哪些列，逐行可查。' },
    },
  },
  quality: {
    lead: '在影响训练之前，找出重复、泄漏、异常的行以及可疑的目标值。',
    empty_text: '逐行读取：重复、离群样本，以及模型怀疑的目标值。',
    stage: { look: '正在读取各行' },
    facts: { handmade: '单元格', features_help: '判断离群样本和可疑目标值时，用什么把行变成数字。' },
    notes: { no_weights: '按单元格比较各行，离群样本与可疑目标值的判断会不太可靠。' },
    evidence: { exact_duplicate: '各单元格完全一致', low_information: '其中 {{value}} 为空' },
    kind: {
      exact_duplicate: { help: '不同的行，单元格完全相同。' },
      near_duplicate: { help: '单元格几乎相同。' },
      low_information: { help: '几乎没有填写单元格。' },
      odd_size: { title: '单元格数异常', help: '填写的单元格比这里常见的多得多或少得多。' },
    },
  },
  predictions: {
    empty_text: '用模型预测项目中的行、某个版本或自己的表格：结果可用于其他地方或用于比较模型。',
    form: { source_help: { items: '预测开始时项目中的所有行。' } },
    files: { help: '包含模型所需列的 CSV、TSV、Excel、Parquet、Arrow 或 JSON Lines，也可以是它们的压缩包。' },
  },
  refusals: {
    picture_unreadable: { title: '无法读取该行', hint: '请按列名发送单元格。' },
  },
  report: {
    headline: '在 {{count}} 行{{split}}数据上，{{metric}}为 {{value}}',
    caution: { few_items: '行数较少：个别行就会影响这一数值。' },
    per_class: '按类别',
    label: '类别',
    support: '行数',
    worst_text: '模型错得最离谱的行。请留意单元格是否有误，或是否缺少关键的列。',
    robustness: {
      help: '模型对受扰动行的表现：空单元格、数值噪声，或模型从未见过的类别，都是表单、传感器和其他系统常产生的情况。每种扰动随机抽取五次取平均。',
      none: '尚未在{{split}}上测试。最多取 2,000 行，以至多九种方式扰动；测试在后台进行，只需几秒。',
    },
  },
  shortcuts: {
    gallery: { delete: '删除选中的行；焦点在单元格时清空该单元格，若选中了其他行则先询问' },
  },
  studies: {
    goal: {
      fastest_help: '单个模型，响应最快，不做组合。',
      fast_help: '训练和预测都很快的模型。',
      accurate_help: '更多模型，并将其中若干个组合起来。',
    },
    trial: { stage: { cache: '正在读取各行', features: '正在准备各列', train: '正在拟合' } },
  },
  versions: {
    to_labelling: '选择预测目标',
    empty_text: '先选择预测目标，再新建可供训练的版本。',
    dialog: {
      text: '版本将包含所有目标值已知的行；目标值未知的行不包含在内。',
      split_field: '列',
      split_rules: { named: '按列中的划分' },
      split_helps: {
        named: '由 train、validation、test 等单元格直接指定划分；没有指定的随机划分。请将该列设为“忽略”，以免模型从中学习。',
      },
    },
  },
} as const
