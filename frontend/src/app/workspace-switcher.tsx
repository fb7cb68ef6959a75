import { Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { chooseWorkspace, useMe, useWorkspace } from '../lib/session/session'

/** Shown only to people with more than one workspace. */
export function WorkspaceSwitcher() {
  const { t } = useTranslation('common')
  const queries = useQueryClient()
  const navigate = useNavigate()
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
      onChange={(id) => {
        if (!id) return
        chooseWorkspace(id)
        void navigate('/projects')
        void queries.invalidateQueries()
      }}
    />
  )
}
