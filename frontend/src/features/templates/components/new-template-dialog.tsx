import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { ErrorState } from '../../../ui/error-state'
import { useCreateTemplate } from '../api/templates'
import { PictureField } from '../../../ui/picture-field'

interface NewTemplateDialogProps {
  project: string
  onClose: () => void
}

/** What the form is called, and one picture of it. */
export function NewTemplateDialog({ project, onClose }: NewTemplateDialogProps) {
  const { t } = useTranslation('templates')
  const navigate = useNavigate()
  const create = useCreateTemplate(project)
  const [name, setName] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const submit = () => {
    if (!name.trim() || !file) return
    create.mutate({ name: name.trim(), file }, { onSuccess: (template) => void navigate(`/projects/${project}/templates/${template.id}`) })
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
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <PictureField label={t('form.picture')} picture={file} onPicture={setFile} />
          {create.isError && <ErrorState error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!name.trim() || !file}>
              {t('form.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
