import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { ErrorState } from '../../../ui/error-state'
import { type Shelf, useChangeShelf, useCreateShelf } from '../api/shelves'

interface Choice {
  id: string
  name: string
  project_name?: string
}

interface ShelfDialogProps {
  project: string
  /** That is changed; a new one without. */
  shelf?: Shelf
  deployments: readonly Choice[]
  galleries: readonly Choice[]
  onClose: () => void
}

const labelOf = ({ name, project_name }: Choice) => (project_name ? `${name} · ${project_name}` : name)

/** What the shelf is called, who finds its packs and who names them. */
export function ShelfDialog({ project, shelf, deployments, galleries, onClose }: ShelfDialogProps) {
  const { t } = useTranslation('shelves')
  const navigate = useNavigate()
  const create = useCreateShelf(project)
  const change = useChangeShelf(shelf?.id ?? '', true)
  const save = shelf ? change : create
  const [name, setName] = useState(shelf?.name ?? '')
  const [deployment, setDeployment] = useState(shelf ? (shelf.deployment?.id ?? null) : (deployments[0]?.id ?? null))
  const [gallery, setGallery] = useState(shelf ? (shelf.gallery?.id ?? null) : (galleries[0]?.id ?? null))
  const refused = fieldErrors(save.error)
  const isWhole = name.trim() !== '' && deployment !== null && (gallery !== null || shelf !== undefined)
  const submit = () => {
    if (!isWhole) return
    const named = { name: name.trim(), deployment }
    if (shelf) change.mutate({ ...named, gallery }, { onSuccess: onClose })
    else if (gallery)
      create.mutate({ ...named, gallery, plan: {} }, { onSuccess: (made) => void navigate(`/projects/${project}/shelves/${made.id}`) })
  }
  return (
    <Modal opened onClose={onClose} title={t(shelf ? 'change' : 'create')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            required
            label={t('form.name')}
            placeholder={t('form.name_example')}
            maxLength={120}
            value={name}
            error={refused.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={t('form.deployment')}
            description={t('form.deployment_help')}
            allowDeselect={false}
            data={deployments.map((each) => ({ value: each.id, label: labelOf(each) }))}
            value={deployment}
            error={refused.deployment}
            onChange={setDeployment}
          />
          <Select
            label={t('form.gallery')}
            description={t('form.gallery_help')}
            allowDeselect={false}
            searchable
            data={galleries.map((each) => ({ value: each.id, label: labelOf(each) }))}
            value={gallery}
            error={refused.gallery}
            onChange={setGallery}
          />
          {save.isError && !isShownByFields(save.error, ['name', 'deployment', 'gallery']) && <ErrorState error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!isWhole}>
              {t(shelf ? 'form.save' : 'form.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
