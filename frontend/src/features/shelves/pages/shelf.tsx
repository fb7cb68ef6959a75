import { Anchor, Button } from '@mantine/core'
import { IconSettings, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'

import { useHasRole } from '../../../lib/session/session'
import { confirm } from '../../../ui/confirm'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { type Shelf, useDeleteShelf, useDetectorChoices, useGalleryChoices, useShelf } from '../api/shelves'
import { CheckPanel } from '../components/check-panel'
import { ShelfDialog } from '../components/shelf-dialog'

/** One shelf: check a photo of it, say what should stand there, teach the gallery what is unknown. */
export function Component() {
  const { shelf: id = '' } = useParams()
  const shelf = useShelf(id)
  const canChange = useHasRole('engineer')
  if (shelf.isPending) return <LoadingPage />
  if (shelf.isLoadingError) return <ErrorState error={shelf.error} onRetry={() => void shelf.refetch()} />
  return (
    <>
      <PageHeader
        name={shelf.data.name}
        title={shelf.data.name}
        subtitle={<Subtitle shelf={shelf.data} />}
        actions={canChange && <Actions shelf={shelf.data} />}
      />
      <CheckPanel shelf={shelf.data} canChange={canChange} />
    </>
  )
}

function Subtitle({ shelf: { deployment, gallery } }: { shelf: Shelf }) {
  const { t } = useTranslation('shelves')
  return (
    <>
      {deployment ? (
        <Anchor component={Link} to={`/projects/${deployment.project}/deployments/${deployment.id}`} size="sm">
          {t('found_by', { name: deployment.name })}
        </Anchor>
      ) : (
        t('gone')
      )}
      {' · '}
      {gallery ? (
        <Anchor component={Link} to={`/projects/${gallery.project}/galleries/${gallery.id}`} size="sm">
          {t('named_by', { name: gallery.name })}
        </Anchor>
      ) : (
        t('gone')
      )}
    </>
  )
}

function Actions({ shelf }: { shelf: Shelf }) {
  const { t } = useTranslation('shelves')
  const navigate = useNavigate()
  const remove = useDeleteShelf(shelf.id)
  const deployments = useDetectorChoices(shelf.project)
  const galleries = useGalleryChoices()
  const [isOpen, setOpen] = useState(false)
  const ask = () =>
    confirm({
      title: t('delete_title', { name: shelf.name }),
      children: t('delete_text'),
      confirm: t('delete'),
      isDangerous: true,
      onConfirm: () => remove.mutate(undefined, { onSuccess: () => void navigate(`/projects/${shelf.project}/shelves`) }),
    })
  return (
    <>
      <Button variant="default" leftSection={<IconSettings size={16} />} onClick={() => setOpen(true)}>
        {t('change')}
      </Button>
      <Button variant="default" leftSection={<IconTrash size={16} />} loading={remove.isPending} onClick={ask}>
        {t('delete')}
      </Button>
      {isOpen && (
        <ShelfDialog
          project={shelf.project}
          shelf={shelf}
          deployments={deployments.data ?? []}
          galleries={galleries.data ?? []}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
