import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { ErrorState } from '../../../ui/error-state'
import { useCreateGallery } from '../api/galleries'

interface NewGalleryDialogProps {
  project: string
  deployments: readonly { id: string; name: string }[]
  onClose: () => void
}

/** What the gallery is called, and whose model compares its pictures. */
export function NewGalleryDialog({ project, deployments, onClose }: NewGalleryDialogProps) {
  const { t } = useTranslation('galleries')
  const navigate = useNavigate()
  const create = useCreateGallery(project)
  const [name, setName] = useState('')
  const [deployment, setDeployment] = useState(deployments[0]?.id ?? null)
  const refused = fieldErrors(create.error)
  const submit = () => {
    if (!name.trim() || !deployment) return
    create.mutate(
      { name: name.trim(), deployment, false_match_rate: null },
      { onSuccess: (gallery) => void navigate(`/projects/${project}/galleries/${gallery.id}`) },
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('create')}>
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
            data={deployments.map(({ id, name: label }) => ({ value: id, label }))}
            value={deployment}
            error={refused.deployment}
            onChange={setDeployment}
          />
          {create.isError && !isShownByFields(create.error, ['name', 'deployment']) && <ErrorState error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!name.trim() || !deployment}>
              {t('form.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
