import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useProject } from '../../../lib/project/project'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { useGlance, useGuide } from '../api/get-guide'
import { Counts } from '../components/counts'
import { ExampleProgress } from '../components/example-progress'
import { Glance } from '../components/glance'
import { Guide } from '../components/guide'
import { Problems } from '../components/problems'
import { Waiting } from '../components/waiting'

/** From an empty project to an answered API; afterwards the project at a glance. */
export function Component() {
  const { t } = useTranslation('overview')
  const project = useProject().data
  const guide = useGuide(project?.id ?? '')
  const glance = useGlance(project?.id ?? '').data
  if (!project) return null
  return (
    <>
      <PageHeader title={project.name} subtitle={project.description || t('subtitle')} />
      <Stack gap="lg">
        <ExampleProgress project={project} />
        <Counts project={project} />
        {guide.isPending && <LoadingState rows={7} height={52} />}
        {guide.isLoadingError && <ErrorState error={guide.error} onRetry={() => void guide.refetch()} />}
        {guide.data && <Guide project={project.id} steps={guide.data.steps} />}
        {glance && <Waiting project={project.id} waiting={glance.waiting} />}
        {project.counts.annotated > 0 && <Problems project={project} />}
        <Glance project={project} />
        <Text size="xs" c="dimmed">
          {t('ids', { id: project.id })}
        </Text>
      </Stack>
    </>
  )
}
