import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatNumber } from '../../../lib/format'
import { useProjectId } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import type { Column } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ListPage } from '../../../ui/list-page'
import { RelativeTime } from '../../../ui/relative-time'
import { type Gallery, useDeploymentChoices, useGalleries } from '../api/galleries'
import { NewGalleryDialog } from '../components/new-gallery-dialog'

/** All galleries of the project, newest first. */
export function Component() {
  const { t } = useTranslation('galleries')
  const project = useProjectId()
  const galleries = useGalleries(project)
  const deployments = useDeploymentChoices(project)
  const canChange = useHasRole('engineer')
  const [isOpen, setOpen] = useState(false)
  const hasDeployment = (deployments.data?.length ?? 0) > 0
  const create = canChange && hasDeployment && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      {t('create')}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t('title')}
        lead={t('lead')}
        create={create}
        query={galleries}
        columns={useColumns()}
        empty={
          <EmptyState
            drawing="gallery"
            title={t(hasDeployment ? 'empty_title' : 'no_deployment_title')}
            action={
              hasDeployment ? (
                create
              ) : (
                <Button component={Link} to={`/projects/${project}/deployments`}>
                  {t('to_deployments')}
                </Button>
              )
            }
          >
            {t(hasDeployment ? 'empty_text' : 'no_deployment_text')}
          </EmptyState>
        }
      />
      {isOpen && <NewGalleryDialog project={project} deployments={deployments.data ?? []} onClose={() => setOpen(false)} />}
    </>
  )
}

function useColumns(): Column<Gallery>[] {
  const { t } = useTranslation('galleries')
  return [
    {
      key: 'name',
      title: t('column.name'),
      render: (gallery) => (
        <>
          <Text size="sm" fw={600} truncate>
            {gallery.name}
          </Text>
          <Text size="xs" c="dimmed">
            {gallery.artefact ? t('model', { number: gallery.artefact.number }) : t('model_gone')}
          </Text>
        </>
      ),
    },
    { key: 'names', title: t('column.names'), width: 120, align: 'right', render: (gallery) => formatNumber(gallery.num_names) },
    { key: 'pictures', title: t('column.pictures'), width: 120, align: 'right', render: (gallery) => formatNumber(gallery.num_entries) },
    { key: 'created', title: t('column.created'), width: 160, render: (gallery) => <RelativeTime value={gallery.created_at} /> },
  ]
}
