/** 图片项目如何称呼其数据：名词与量词，以及不能仅靠替换名词得到的句子。 */
export default {
  noun: {
    one: '图片',
    counted: '张图片',
    measure: '张',
    of: '张',
  },
  collect: {
    urls: {
      help: '可在逗号或制表符后写标签；多个标签用 | 分隔。',
    },
  },
  data: {
    drop: {
      title: '将图片、文件夹或压缩包拖到这里',
      text: '图片和文件夹拖入后立即上传；zip、tar 压缩包和表格会先询问标签来源。',
    },
    filter: {
      search: '按文件名搜索',
    },
    flags: {
      odd_size: '异常尺寸',
    },
    metadata: {
      text: '相机、地点、批次等用于区分图片的信息，之后可按其筛选。',
    },
  },
  deployments: {
    try: {
      drop: '拖入或粘贴图片，或点击选择',
    },
  },
  jobs: {
    failure: {
      out_of_memory: {
        hint: '请减小批大小、图片尺寸或模型，或减少同时运行的后台任务。',
      },
    },
  },
  labelling: {
    assist: {
      features: '正在分析图片：{{done}} / {{total}}',
    },
  },
  map: {
    lead: '相似的图片彼此相邻。圈选一组即可一次标注，也能快速发现不属于这里的图片。',
    looking: '正在分析图片',
  },
  overview: {
    step: {
      upload: {
        text: '拖入文件夹、压缩包或单张图片；文件夹名可作为标签。',
      },
    },
  },
  quality: {
    empty_text: '每张图片检查一次：重复、模糊、曝光、异常尺寸、离群样本，以及模型怀疑的标签。',
    stage: {
      look: '正在检查图片',
    },
    facts: {
      handmade: '布局、颜色和边缘',
    },
    notes: {
      no_weights: '预训练网络不可用，因此按布局、颜色和边缘比较图片；离群样本和可疑标签的判断不够可靠。',
    },
    kind: {
      exact_duplicate: {
        help: '文件不同，但像素完全相同。',
      },
      near_duplicate: {
        help: '同一张图片经过旋转、镜像、缩放、重新压缩、裁剪或调整光线。',
      },
      low_information: {
        help: '一种颜色几乎覆盖整张图片。',
      },
      odd_size: {
        title: '异常尺寸',
        help: '比这里常见的图片大得多或小得多。',
      },
    },
    evidence: {
      exact_duplicate: '像素完全一致',
      low_information: '{{value}} 为同一颜色',
    },
  },
  refusals: {
    picture_unreadable: {
      hint: '请发送完整的 JPEG、PNG、WebP、BMP、GIF 或 TIFF 文件。',
    },
  },
}
