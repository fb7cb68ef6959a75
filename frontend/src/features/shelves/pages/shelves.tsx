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
import { type Shelf, useDetectorChoices, useGalleryChoices, useShelves } from '../api/shelves'
import { ShelfDialog } from '../components/shelf-dialog'

/** All shelves of the project, newest first. */
export function Component() {
  const { t } = useTranslation('shelves')
  const project = useProjectId()
  const shelves = useShelves(project)
  const deployments = useDetectorChoices(project)
  const galleries = useGalleryChoices()
  const canChange = useHasRole('engineer')
  const [isOpen, setOpen] = useState(false)
  const lacks = !deployments.data?.length ? 'deployment' : !galleries.data?.length ? 'gallery' : null
  const create = canChange && !lacks && (
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
        query={shelves}
        columns={useColumns()}
        empty={
          <EmptyState
            drawing="shelf"
            title={t(lacks ? `lacks.${lacks}_title` : 'empty_title')}
            action={
              lacks ? (
                <Button component={Link} to={lacks === 'deployment' ? `/projects/${project}/deployments` : '/projects'}>
                  {t(`lacks.to_${lacks}`)}
                </Button>
              ) : (
                create
              )
            }
          >
            {t(lacks ? `lacks.${lacks}_text` : 'empty_text')}
          </EmptyState>
        }
      />
      {isOpen && (
        <ShelfDialog
          project={project}
          deployments={deployments.data ?? []}
          galleries={galleries.data ?? []}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function useColumns(): Column<Shelf>[] {
  const { t } = useTranslation('shelves')
  return [
    {
      key: 'name',
      title: t('column.name'),
      render: (shelf) => (
        <>
          <Text size="sm" fw={600} truncate>
            {shelf.name}
          </Text>
          <Text size="xs" c="dimmed">
            {[shelf.deployment?.name ?? t('gone'), shelf.gallery?.name ?? t('gone')].join(' · ')}
          </Text>
        </>
      ),
    },
    {
      key: 'plan',
      title: t('column.plan'),
      width: 160,
      align: 'right',
      render: ({ plan }) => formatNumber(Object.values(plan).reduce((sum, count) => sum + count, 0)),
    },
    { key: 'created', title: t('column.created'), width: 160, render: (shelf) => <RelativeTime value={shelf.created_at} /> },
  ]
}
