export default {
  promise: 'From your own pictures, texts and tables to an API that answers, without code.',
  sign_in: 'Sign in',
  sign_up: 'Create account',
  email: 'E-mail',
  name: 'Name',
  password: 'Password',
  password_rule: 'At least 8 characters.',
  new_here: 'New here?',
  known_here: 'Have an account already?',
} as const
