export default {
  title: '绘图练习场',
  subtitle: '在不属于任何项目的图片上试用全部绘图工具。不会发送任何内容，绘制结果只保存在此浏览器中。',
  picture: '图片',
  pictures: { street: '街景', blank: '白底', file: '您的文件' },
  open: '打开图片',
  fill: '形状',
  shapes: '添加 {{count}} 个形状',
  clear: '全部删除',
  json: {
    open: 'JSON',
    title: '绘制内容的 JSON',
    text: '这就是存储的标注，也是各种格式和模型看到的标注。可修改文本或选择文件，然后载入。',
    save: '保存为文件',
    file: '选择文件',
    load: '载入',
    broken: '这不是绘图内容：需要 "annotations"，且每项都有种类、标签和位置。',
  },
}
