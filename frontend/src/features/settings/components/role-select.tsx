import { Select, type SelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Role } from '../../../lib/api/types'

const ROLES: Role[] = ['owner', 'engineer', 'labeller', 'annotator', 'viewer']

interface RoleSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  value: Role
  onChange: (role: Role) => void
}

/** A role, each with what it may do. */
export function RoleSelect({ value, onChange, ...rest }: RoleSelectProps) {
  const { t } = useTranslation('settings')
  return (
    <Select
      {...rest}
      value={value}
      data={ROLES.map((role) => ({ value: role, label: t(`role.${role}.name`) }))}
      renderOption={({ option }) => (
        <div>
          <div>{option.label}</div>
          <small style={{ opacity: 0.7 }}>{t(`role.${option.value}.text`)}</small>
        </div>
      )}
      comboboxProps={{ width: 280, position: 'bottom-start' }}
      onChange={(role) => role && onChange(role as Role)}
    />
  )
}
