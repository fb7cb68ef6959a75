import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** A password; the eye button has a label in both languages. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('common')
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('show_password') }} {...props} />
}
