import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { api, data } from '../lib/api/client'
import { useWorkspace } from '../lib/session/session'

/** The project of the address; choosing another goes there. */
export function ProjectSwitcher({ project }: { project: string }) {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  const workspace = useWorkspace()
  const projects = useQuery({
    queryKey: ['projects', workspace?.id, 'switcher'],
    enabled: workspace !== undefined,
    queryFn: () => data(api.GET('/api/projects', { params: { query: { workspace: workspace?.id, limit: 200 } } })),
  })
  return (
    <Select
      aria-label={t('project')}
      mb="xs"
      size="xs"
      searchable={(projects.data?.items.length ?? 0) > 8}
      value={project}
      data={projects.data?.items.map((one) => ({ value: one.id, label: one.name })) ?? []}
      onChange={(id) => id && void navigate(`/projects/${id}`)}
    />
  )
}
