import { Button, Group, Modal, Radio, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { useLocalText } from '../../../lib/local-text'
import { DialogFoot } from '../../../ui/dialog-foot'
import { ErrorState } from '../../../ui/error-state'
import { TaskDrawing } from '../../../ui/task-drawing'
import { useCreateProject, useTasks } from '../api/get-projects'
import classes from './new-project-dialog.module.css'

interface NewProjectDialogProps {
  workspace: string
  opened: boolean
  onClose: () => void
}

/** Name, task and the choices that the task asks for. */
export function NewProjectDialog({ workspace, opened, onClose }: NewProjectDialogProps) {
  const { t } = useTranslation('projects')
  const local = useLocalText()
  const navigate = useNavigate()
  const tasks = useTasks()
  const create = useCreateProject()
  const form = useForm({
    initialValues: { name: '', description: '', task: '', task_options: {} as Record<string, string> },
    validate: { name: (name) => (name.trim() === '' ? t('name_needed') : null) },
  })
  const offered = tasks.data?.filter((one) => !one.is_draft) ?? []
  const task = offered.find((one) => one.name === form.values.task) ?? offered[0]
  const optionOf = (name: string, otherwise: string) => form.values.task_options[name] ?? otherwise

  const close = () => {
    create.reset()
    onClose()
  }
  const submit = form.onSubmit(
    ({ name, description }) => {
      if (!task) return
      const task_options = Object.fromEntries(task.options.map((option) => [option.name, optionOf(option.name, option.default)]))
      create.mutate(
        { workspace, name, description, task: task.name, task_options },
        { onSuccess: (project) => void navigate(`/projects/${project.id}`), onError: (error) => form.setErrors(fieldErrors(error)) },
      )
    },
    () => form.getInputNode('name')?.focus(),
  )

  return (
    <Modal opened={opened} onClose={close} title={t('create')} size="min(960px, 92vw)">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={t('name')}
            placeholder={t('name_example')}
            required
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {tasks.isLoadingError && <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />}
          {task && (
            <Radio.Group label={t('task')} value={task.name} onChange={(name) => form.setFieldValue('task', name)}>
              <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" mt={4}>
                {offered.map((one) => (
                  <Radio.Card key={one.name} value={one.name} p="xs" className={classes.task} aria-label={local(one.title)}>
                    <TaskDrawing task={one.name} height={52} />
                    <div>
                      <Text size="sm" fw={600}>
                        {local(one.title)}
                      </Text>
                      <Text size="xs" c="dimmed">
                        {local(one.summary)}
                      </Text>
                    </div>
                  </Radio.Card>
                ))}
              </SimpleGrid>
            </Radio.Group>
          )}
          {task?.options.map((option) => (
            <Radio.Group
              key={option.name}
              label={local(option.title)}
              description={local(option.help)}
              value={optionOf(option.name, option.default)}
              onChange={(value) => form.setFieldValue('task_options', { ...form.values.task_options, [option.name]: value })}
            >
              <Group mt={6}>
                {option.choices.map((choice) => (
                  <Radio key={choice.value} value={choice.value} label={local(choice.title)} />
                ))}
              </Group>
            </Radio.Group>
          ))}
          <Textarea label={t('description')} maxLength={2000} {...form.getInputProps('description')} />
          {create.isError && !isShownByFields(create.error, ['name', 'description']) && <ErrorState error={create.error} />}
          <DialogFoot>
            <Button variant="default" onClick={close}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!task}>
              {t('create_submit')}
            </Button>
          </DialogFoot>
        </Stack>
      </form>
    </Modal>
  )
}
