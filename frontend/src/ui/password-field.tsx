import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password; the eye says in both languages what it does. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('common')
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('show_password') }} {...props} />
}
