import { Button, Group, SimpleGrid } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileZip, IconFolderPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useHasRole, useWorkspace } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { useDeletedProjects, useProjects } from '../api/get-projects'
import { DeletedProjects } from '../components/deleted-projects'
import { ImportArchiveDialog } from '../components/import-archive-dialog'
import { NewProjectDialog } from '../components/new-project-dialog'
import { ProjectCard } from '../components/project-card'

/** All projects of the workspace. */
export function Component() {
  const { t } = useTranslation('projects')
  const workspace = useWorkspace()
  const canCreate = useHasRole('engineer')
  const projects = useProjects(workspace?.id)
  const [isOpen, dialog] = useDisclosure()
  const [isImporting, importing] = useDisclosure()
  const [isBinOpen, bin] = useDisclosure()
  const hasDeleted = Boolean(useDeletedProjects(workspace?.id).data?.pages[0]?.items.length)
  const rows = projects.data?.pages.flatMap((page) => page.items) ?? []
  const create = canCreate && (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconFileZip size={16} />} onClick={importing.open}>
        {t('archive.open')}
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        {t('create')}
      </Button>
    </Group>
  )
  return (
    <>
      <PageHeader title={t('title')} subtitle={workspace?.name} actions={rows.length > 0 && create} />
      {projects.isPending && <LoadingState rows={3} height={120} />}
      {projects.isLoadingError && <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />}
      {projects.data && rows.length === 0 && (
        <EmptyState icon={<IconFolderPlus size={40} stroke={1.2} />} title={t('empty.title')} action={create}>
          {t('empty.text')}
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        {rows.map((project) => (
          <ProjectCard key={project.id} project={project} canChange={canCreate} />
        ))}
      </SimpleGrid>
      <LoadMore query={projects} />
      {hasDeleted && (
        <Button variant="subtle" color="gray" size="xs" mt="md" leftSection={<IconTrash size={14} />} onClick={bin.open}>
          {t('deleted.open')}
        </Button>
      )}
      {workspace && isBinOpen && <DeletedProjects workspace={workspace.id} canRestore={canCreate} onClose={bin.close} />}
      {workspace && isImporting && <ImportArchiveDialog workspace={workspace.id} onClose={importing.close} />}
      {workspace && <NewProjectDialog workspace={workspace.id} opened={isOpen} onClose={dialog.close} />}
    </>
  )
}
