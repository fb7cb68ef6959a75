/** What people and keys may be, named before the sign-in too. */
export default {
  title: '角色',
  owner: { name: '所有者', text: '全部权限，包括成员与密钥' },
  engineer: { name: '工程师', text: '数据、训练、模型与部署' },
  annotator: { name: '外部标注员', text: '只能标注分配给自己的数据，看不到其他内容' },
  labeller: { name: '标注员', text: '查看全部内容，标注并审核' },
  viewer: { name: '访客', text: '只读' },
  guest: { name: '项目成员', text: '只能查看指定了自己的项目' },
} as const
