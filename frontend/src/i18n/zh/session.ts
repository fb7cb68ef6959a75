export default {
  promise: '从您自己的图片、文本和表格到可调用的 API，无需编写代码。',
  sign_in: '登录',
  sign_up: '注册',
  email: '邮箱',
  name: '姓名',
  password: '密码',
  password_rule: '至少 8 个字符。',
  new_here: '还没有账号？',
  known_here: '已有账号？',
} as const
