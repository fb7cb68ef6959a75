/** 文本项目如何称呼其数据：名词与量词，以及不能仅靠替换名词得到的句子。 */
export default {
  noun: { one: '文本', counted: '条文本', measure: '条', of: '条' },
  collect: { urls: { help: '文本文件，每个文件一条文本。可在逗号或制表符后写标签；多个标签用 | 分隔。表格请直接上传。' } },
  data: {
    drop: {
      title: '将文本或文本表格拖到这里',
      text: '文本文件和文件夹拖入后立即上传；表格（CSV、TSV、Excel、Parquet、Arrow、feather、JSONL）与 zip、tar 压缩包会先显示内容。',
    },
    filter: { search: '搜索名称与文本内容' },
    metadata: { text: '来源、作者、批次等用于区分文本的信息，之后可据此筛选。' },
    flags: { odd_size: '长度异常' },
  },
  deployments: {
    try: { drop: '输入或粘贴一段文本' },
  },
  jobs: { failure: { out_of_memory: { hint: '请减小批大小、文本长度或模型，或减少同时运行的后台任务。' } } },
  labelling: { assist: { features: '正在阅读文本：{{done}} / {{total}}' } },
  map: {
    lead: '意思相近的文本彼此相邻。圈选一组即可一次标注，也能快速发现异常。',
    looking: '正在阅读文本',
    search: {
      open: '按含义搜索',
      title: '按含义搜索',
      drop: '写下要找的内容。仅用于比较，不会保留。',
      again: '换一段内容可再次搜索。',
      looking: '平台正在首次阅读该项目的文本，完成后会自动给出结果。',
      unusable: '这不是可用于搜索的文本',
    },
    similar: { full: '查看全文' },
  },
  overview: {
    step: {
      upload: { text: '拖入表格（CSV、Excel、JSONL）、压缩包或文本文件，也可直接粘贴文本。可识别标签列。' },
      report: { text: '准确率有多高，错在哪里，逐条可查。' },
    },
  },
  quality: {
    lead: '在影响训练之前，找出重复、泄漏、质量不佳的文本以及可疑标签。',
    empty_text: '逐条阅读文本：重复、长度、异常字符、离群样本，以及模型怀疑的标签。',
    stage: { look: '正在阅读文本' },
    facts: {
      handmade: '字符组合',
      features_help: '判断离群样本和可疑标签时，用什么把文本变成数字。',
    },
    notes: { no_weights: '预训练网络不可用，因此按字符组合比较文本，离群样本与可疑标签的判断会不太可靠。' },
    evidence: { exact_duplicate: '文字完全一致', low_information: '其中 {{value}} 没有内容' },
    kind: {
      exact_duplicate: { help: '条目不同，但文字完全相同。' },
      near_duplicate: { help: '文字几乎相同：仅大小写、空白、标点不同，或替换了少数词语。' },
      low_information: { help: '几乎没有可读的内容。' },
      odd_size: { title: '长度异常', help: '比这里常见的文本长得多或短得多。' },
    },
  },
  refusals: {
    picture_unreadable: { title: '无法读取该文本', hint: '请使用 UTF-8 编码的文本文件。' },
  },
  report: {
    robustness: {
      help: '模型对受扰动文本的表现：按键错误、漏字、相邻字符颠倒、全大写、全角字符或漏词，都是人和程序常产生的情况。每种扰动随机抽取三次取平均。对多数文本不起作用的扰动不列出。',
      none: '尚未在{{split}}上测试。最多取 200 条文本，以至多十八种方式扰动；测试在后台进行，约需一分钟。',
    },
  },
}
