import { Button, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import type { Task } from '../../../lib/api/types'
import { startExample } from '../../../lib/example/example'
import { quickFamilies } from '../../../lib/example/server'
import { useLocalText } from '../../../lib/local-text'
import { ErrorState } from '../../../ui/error-state'
import { TaskDrawing } from '../../../ui/task-drawing'
import { useCreateProject } from '../api/get-projects'
import classes from './examples.module.css'

/** A project of each task that has examples, filled, trained and published by one click. */
export function Examples({ workspace, tasks }: { workspace: string; tasks: readonly Task[] }) {
  const { t } = useTranslation('projects')
  const local = useLocalText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const create = useCreateProject()
  const start = (task: Task) =>
    create.mutate(
      { workspace, name: t('example.name', { task: local(task.title) }), description: '', task: task.name, task_options: {} },
      {
        onSuccess: (project) => {
          startExample(queries, project, task.families)
          void navigate(`/projects/${project.id}`)
        },
      },
    )
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {tasks.map((task) => (
          <Paper key={task.name} className={classes.card}>
            <Group justify="center">
              <TaskDrawing task={task.name} height={90} />
            </Group>
            <Text fw={600} mt="sm">
              {local(task.title)}
            </Text>
            <Text size="xs" c="dimmed">
              {local(task.summary)}
            </Text>
            <Text size="xs" mt={6} mb="sm">
              {t(quickFamilies(task.families).length > 0 ? 'example.whole' : 'example.data')}
            </Text>
            <Button
              mt="auto"
              variant="light"
              aria-label={t('example.start_of', { task: local(task.title) })}
              loading={create.isPending && create.variables.task === task.name}
              disabled={create.isPending}
              onClick={() => start(task)}
            >
              {t('example.start')}
            </Button>
          </Paper>
        ))}
      </SimpleGrid>
      {create.isError && <ErrorState error={create.error} />}
    </>
  )
}
