import { Badge, Box, Loader, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'

import { api, data } from '../lib/api/client'
import { formatNumber } from '../lib/format'

/** How many jobs of the project run, without those that were asked to end; leads to them. Keeps its place when there are none. */
export function RunningJobs() {
  const { t } = useTranslation('common')
  const { project } = useParams()
  const jobs = useQuery({
    queryKey: ['jobs', project, 'running'],
    enabled: project !== undefined,
    queryFn: () => data(api.GET('/api/jobs', { params: { query: { project, state: 'running' } } })),
  })
  const count = jobs.data?.items.filter(({ is_stopping }) => !is_stopping).length ?? 0
  if (!project || count === 0) return null
  return (
    <UnstyledButton component={Link} to={`/projects/${project}/jobs`} mr="xs" flex="none" aria-label={t('running', { count })}>
      <Badge leftSection={<Loader size={9} color="currentColor" />}>
        <Box component="span" visibleFrom="sm">
          {t('running', { count })}
        </Box>
        <Box component="span" hiddenFrom="sm">
          {formatNumber(count)}
        </Box>
      </Badge>
    </UnstyledButton>
  )
}
