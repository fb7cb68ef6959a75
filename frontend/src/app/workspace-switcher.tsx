import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useMe, useWorkspace } from '../lib/session/session'
import { useWorkspaceChoice } from './personal'

/** Shown only to people with more than one workspace. */
export function WorkspaceSwitcher() {
  const { t } = useTranslation('common')
  const choose = useWorkspaceChoice()
  const workspaces = useMe().data?.workspaces ?? []
  const workspace = useWorkspace()
  if (workspaces.length < 2 || !workspace) return null
  return (
    <Select
      aria-label={t('workspace')}
      mb="xs"
      size="xs"
      value={workspace.id}
      data={workspaces.map((one) => ({ value: one.id, label: one.name }))}
      onChange={(id) => id && choose(id)}
    />
  )
}
