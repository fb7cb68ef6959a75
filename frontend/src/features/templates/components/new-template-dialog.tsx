import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { isSlug, slugOf } from '../../../lib/slug'
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
  const [written, setWritten] = useState<string | null>(null)
  const slug = written ?? slugOf(name, name.trim() && 'template')
  const isUnfit = slug !== '' && !isSlug(slug)
  const [file, setFile] = useState<File | null>(null)
  const submit = () => {
    if (!name.trim() || !file || isUnfit) return
    create.mutate(
      { name: name.trim(), slug, file },
      { onSuccess: (template) => void navigate(`/projects/${project}/templates/${template.id}`) },
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
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t('form.slug')}
            description={t('form.slug_help', { slug: slug || '…' })}
            value={slug}
            error={isUnfit ? t('form.slug_problem') : fieldErrors(create.error)['slug']}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            onChange={(event) => setWritten(event.currentTarget.value)}
          />
          <PictureField label={t('form.picture')} picture={file} onPicture={setFile} />
          {create.isError && !isShownByFields(create.error, ['slug']) && <ErrorState error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!name.trim() || !file || isUnfit}>
              {t('form.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
