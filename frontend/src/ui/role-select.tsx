import { Select, type SelectProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { Role } from '../lib/api/types'

const ROLES: readonly Role[] = ['owner', 'engineer', 'labeller', 'annotator', 'viewer']
/** What a person can be in one project. */
export const PROJECT_ROLES: readonly Role[] = ['engineer', 'labeller', 'annotator', 'viewer']
/** What a member of a workspace can be. */
export const MEMBER_ROLES: readonly Role[] = [...ROLES, 'guest']

interface RoleSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  value: Role
  onChange: (role: Role) => void
  /** Those to choose from; without them, what a key or a person of the whole workspace can be. */
  roles?: readonly Role[]
}

/** A role, each with what it may do. */
export function RoleSelect({ value, onChange, roles = ROLES, ...rest }: RoleSelectProps) {
  const { t } = useTranslation('roles')
  return (
    <Select
      {...rest}
      value={value}
      data={roles.map((role) => ({ value: role, label: t(`${role}.name`) }))}
      renderOption={({ option }) => (
        <div>
          <div>{option.label}</div>
          <small style={{ opacity: 0.7 }}>{t(`${option.value}.text`)}</small>
        </div>
      )}
      comboboxProps={{ width: 280, position: 'bottom-start' }}
      onChange={(role) => role && onChange(role as Role)}
    />
  )
}
