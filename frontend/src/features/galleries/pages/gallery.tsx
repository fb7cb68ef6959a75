import { Anchor, Button, SimpleGrid, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'

import { formatNumber } from '../../../lib/format'
import { useHasRole } from '../../../lib/session/session'
import { confirm } from '../../../ui/confirm'
import { ErrorState } from '../../../ui/error-state'
import { LoadingPage } from '../../../ui/loading-page'
import { PageHeader } from '../../../ui/page-header'
import { type Gallery, useDeleteGallery, useGallery } from '../api/galleries'
import { AddPictures } from '../components/add-pictures'
import { Entries } from '../components/entries'
import { FalseMatches } from '../components/false-matches'
import { ModelSwitch } from '../components/model-switch'
import { SearchPanel } from '../components/search-panel'
import { VerifyPanel } from '../components/verify-panel'

/** One gallery: ask it, fill it, keep it on its deployment's model. */
export function Component() {
  const { gallery: id = '' } = useParams()
  const gallery = useGallery(id)
  const canChange = useHasRole('engineer')
  if (gallery.isPending) return <LoadingPage />
  if (gallery.isLoadingError) return <ErrorState error={gallery.error} onRetry={() => void gallery.refetch()} />
  return (
    <>
      <PageHeader
        name={gallery.data.name}
        title={gallery.data.name}
        subtitle={<Subtitle gallery={gallery.data} />}
        actions={canChange && <DeleteButton gallery={gallery.data} />}
      />
      <Stack>
        <ModelSwitch gallery={gallery.data} canChange={canChange} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <SearchPanel gallery={gallery.data} />
          <Stack>
            {canChange && <AddPictures gallery={gallery.data} />}
            <VerifyPanel gallery={gallery.data} />
            <FalseMatches gallery={gallery.data} canChange={canChange} />
          </Stack>
        </SimpleGrid>
        <Entries gallery={gallery.data} canChange={canChange} />
      </Stack>
    </>
  )
}

function Subtitle({ gallery: { artefact, project, num_entries, num_names } }: { gallery: Gallery }) {
  const { t } = useTranslation('galleries')
  const counts = t('counts', { names: formatNumber(num_names), pictures: formatNumber(num_entries) })
  return (
    <>
      {artefact ? (
        <Anchor component={Link} to={`/projects/${project}/models/${artefact.id}`} size="sm">
          {t('model', { number: artefact.number })}
        </Anchor>
      ) : (
        t('model_gone')
      )}{' '}
      · {counts}
    </>
  )
}

function DeleteButton({ gallery }: { gallery: Gallery }) {
  const { t } = useTranslation('galleries')
  const navigate = useNavigate()
  const remove = useDeleteGallery(gallery.id)
  const ask = () =>
    confirm({
      title: t('delete_title', { name: gallery.name }),
      children: t('delete_text'),
      confirm: t('delete'),
      isDangerous: true,
      onConfirm: () => remove.mutate(undefined, { onSuccess: () => void navigate(`/projects/${gallery.project}/galleries`) }),
    })
  return (
    <Button variant="default" leftSection={<IconTrash size={16} />} loading={remove.isPending} onClick={ask}>
      {t('delete')}
    </Button>
  )
}
