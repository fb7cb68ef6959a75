import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useProjectAccess } from '../../../lib/project/access'
import { useProject } from '../../../lib/project/project'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { AddPerson } from '../components/add-person'
import { InvitePerson } from '../components/invite-person'
import { People } from '../components/people'
import { Restriction } from '../components/restriction'

/** Who sees the project, and as what. */
export function Component() {
  const { t } = useTranslation('access')
  const project = useProject().data
  const access = useProjectAccess(project?.id ?? '')
  return (
    <>
      <PageHeader title={t('title')} subtitle={t('lead')} />
      {access.isPending && <LoadingState rows={4} />}
      {access.isLoadingError && <ErrorState error={access.error} onRetry={() => void access.refetch()} />}
      {project && access.data && (
        <Stack maw={880}>
          <Restriction project={project.id} access={access.data} />
          {access.data.can_manage && <AddPerson project={project.id} access={access.data} />}
          {access.data.can_manage && <InvitePerson project={project.id} workspace={project.workspace} />}
          <People project={project.id} access={access.data} />
        </Stack>
      )}
    </>
  )
}
