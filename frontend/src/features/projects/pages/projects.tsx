import { Button, Group, Modal, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconFileZip, IconPlus, IconSearch, IconSparkles, IconTrash } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { useHasRole, useWorkspace } from '../../../lib/session/session'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { PageHeader } from '../../../ui/page-header'
import { UnreadableCard } from '../../../ui/unreadable'
import { type Sort, SORTS, useDeletedProjects, useProjectCards, useTasks } from '../api/get-projects'
import { DeletedProjects } from '../components/deleted-projects'
import { Examples } from '../components/examples'
import { ImportArchiveDialog } from '../components/import-archive-dialog'
import { NewProjectDialog } from '../components/new-project-dialog'
import { ProjectCard } from '../components/project-card'
import { Waiting } from '../components/waiting'
import { Welcome } from '../components/welcome'

/** All projects of the workspace. */
export function Component() {
  const { t } = useTranslation('projects')
  const workspace = useWorkspace()
  const canCreate = useHasRole('engineer')
  const query = useListQuery()
  const projects = useProjectCards(workspace?.id, query.search, query.sort)
  const tasks = useTasks()
  const [isOpen, dialog] = useDisclosure()
  const [isImporting, importing] = useDisclosure()
  const [isTrying, trying] = useDisclosure()
  const [isBinOpen, bin] = useDisclosure()
  const hasDeleted = Boolean(useDeletedProjects(workspace?.id).data?.pages[0]?.items.length)
  const rows = projects.data?.pages.flatMap((page) => page.items) ?? []
  const unreadable = projects.data?.pages.flatMap((page) => page.unreadable) ?? []
  const isEmpty = projects.data !== undefined && rows.length + unreadable.length === 0 && query.search === ''
  const examples = (tasks.data ?? []).filter((task) => task.has_examples && !task.is_draft)
  const create = canCreate && (
    <>
      <Button variant="default" leftSection={<IconFileZip size={16} />} onClick={importing.open}>
        {t('archive.open')}
      </Button>
      {!isEmpty && examples.length > 0 && (
        <Button variant="default" leftSection={<IconSparkles size={16} />} onClick={trying.open}>
          {t('example.open')}
        </Button>
      )}
      <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        {t('create')}
      </Button>
    </>
  )
  return (
    <>
      <PageHeader title={t('title')} subtitle={workspace?.name} actions={projects.data && !isEmpty && create} />
      {projects.isPending && <LoadingState rows={3} height={200} />}
      {projects.isLoadingError && <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />}
      {workspace && isEmpty && (
        <Welcome workspace={workspace.id} tasks={tasks.data ?? []} canCreate={canCreate}>
          {create}
        </Welcome>
      )}
      {workspace && projects.data && !isEmpty && <Waiting workspace={workspace.id} />}
      {projects.data && !isEmpty && <Toolbar {...query} />}
      {projects.data && rows.length + unreadable.length === 0 && query.search !== '' && (
        <EmptyState
          drawing="nothing_found"
          title={t('search.none')}
          action={
            <Button variant="default" onClick={() => query.change({ search: '' })}>
              {t('search.clear')}
            </Button>
          }
        >
          {t('search.none_text')}
        </EmptyState>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3, xl: 4 }} spacing="md" aria-busy={projects.isPlaceholderData}>
        {rows.map((project) => (
          <ProjectCard
            key={project.id}
            project={project}
            task={tasks.data?.find((one) => one.name === project.task)}
            canChange={project.role === 'owner' || project.role === 'engineer'}
          />
        ))}
        {unreadable.map((row) => (
          <UnreadableCard key={row.id} row={row} />
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
      {workspace && (
        <Modal opened={isTrying} onClose={trying.close} title={t('example.title')} size="xl">
          <Examples workspace={workspace.id} tasks={examples} />
        </Modal>
      )}
    </>
  )
}

interface ListQuery {
  search: string
  sort: Sort
}

/** What is looked for and in which order, kept in the address. */
function useListQuery(): ListQuery & { change: (query: Partial<ListQuery>) => void } {
  const [params, setParams] = useSearchParams()
  const sort = SORTS.find((one) => one === params.get('sort')) ?? 'activity'
  const change = (query: Partial<ListQuery>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(query)) {
          if (value === '' || value === 'activity') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: true },
    )
  return { search: params.get('search') ?? '', sort, change }
}

const TYPED_MS = 250

function Toolbar({ search, sort, change }: ListQuery & { change: (query: Partial<ListQuery>) => void }) {
  const { t } = useTranslation('projects')
  const [typed, setTyped] = useState(search)
  const [settled] = useDebouncedValue(typed, TYPED_MS)
  useEffect(() => {
    if (settled !== search) change({ search: settled })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only what is typed moves the address
  }, [settled])
  // The address may change otherwise: by the button that clears the search, or by the browser's own.
  const [known, setKnown] = useState(search)
  if (search !== known) {
    setKnown(search)
    setTyped(search)
  }
  return (
    <Group gap="xs" mb="md">
      <TextInput
        type="search"
        aria-label={t('search.label')}
        placeholder={t('search.label')}
        leftSection={<IconSearch size={15} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        w={{ base: '100%', xs: 280 }}
      />
      <Select
        aria-label={t('sort.label')}
        value={sort}
        onChange={(value) => value && change({ sort: value as Sort })}
        data={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
        w={{ base: '100%', xs: 190 }}
      />
    </Group>
  )
}
