import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'

import type { Project } from '../../../lib/api/types'
import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { useChangeProject } from '../../../lib/project/change-project'
import { ErrorState } from '../../../ui/error-state'

/** Changes a project's name and description. */
export function RenameDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation('projects')
  const change = useChangeProject(project.id, true)
  const form = useForm({ initialValues: { name: project.name, description: project.description } })
  const submit = form.onSubmit((values) =>
    change.mutate(values, { onSuccess: onClose, onError: (error) => form.setErrors(fieldErrors(error)) }),
  )
  return (
    <Modal opened onClose={onClose} title={t('rename.title')} size="md">
      <form onSubmit={submit}>
        <Stack>
          <TextInput label={t('name')} required maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <Textarea label={t('description')} autosize minRows={2} maxRows={8} {...form.getInputProps('description')} />
          {change.isError && !isShownByFields(change.error, ['name', 'description']) && <ErrorState error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={change.isPending} disabled={form.values.name.trim() === ''}>
              {t('rename.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
