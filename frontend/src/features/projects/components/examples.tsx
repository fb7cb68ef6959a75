import { Button, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { afterMutation } from '../../../lib/after-mutation'
import type { Task } from '../../../lib/api/types'
import { startExample } from '../../../lib/example/example'
import { type Quickstart, trainedFamilies } from '../../../lib/example/server'
import { useLocalText } from '../../../lib/local-text'
import { ErrorState } from '../../../ui/error-state'
import { TaskDrawing } from '../../../ui/task-drawing'
import { useCreateProject } from '../api/get-projects'
import classes from './examples.module.css'

/** The usual examples of a task, or those of one of its quick starts. */
interface Choice {
  key: string
  task: Task
  quickstart: Quickstart | undefined
}

/** A project of each task that has examples, and of each quick start: filled, trained and published by one click. */
export function Examples({ workspace, tasks }: { workspace: string; tasks: readonly Task[] }) {
  const { t } = useTranslation('projects')
  const local = useLocalText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const create = useCreateProject()
  const choices = tasks.flatMap((task): Choice[] => [
    { key: task.name, task, quickstart: undefined },
    ...(task.quickstarts ?? []).map((quickstart) => ({ key: `${task.name} ${quickstart.name}`, task, quickstart })),
  ])
  const nameOf = ({ task, quickstart }: Choice) => t('example.name', { task: local((quickstart ?? task).title) })
  const start = (choice: Choice) => {
    const named = { workspace, name: nameOf(choice), description: '', task: choice.task.name, task_options: {} }
    // The page for newcomers, which shows this, goes as soon as there is a project.
    afterMutation(create.mutateAsync(named), (project) => {
      startExample(queries, project, choice.task, choice.quickstart)
      void navigate(`/projects/${project.id}`)
    })
  }
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {choices.map((choice) => {
          const { key, task, quickstart } = choice
          const { title, summary } = quickstart ?? task
          const isWhole = trainedFamilies(task.families, quickstart).length > 0
          const wholeKey = quickstart?.families?.length ? 'example.whole_longer' : 'example.whole'
          return (
            <Paper key={key} className={classes.card}>
              <Group justify="center">
                <TaskDrawing task={task.name} quickstart={quickstart?.name} height={90} />
              </Group>
              <Text fw={600} mt="sm">
                {local(title)}
              </Text>
              <Text size="xs" c="dimmed">
                {local(summary)}
              </Text>
              <Text size="xs" mt={6} mb="sm">
                {t(isWhole ? wholeKey : 'example.data')}
              </Text>
              <Button
                mt="auto"
                variant="light"
                aria-label={t('example.start_of', { task: local(title) })}
                loading={create.isPending && create.variables.name === nameOf(choice)}
                disabled={create.isPending}
                onClick={() => start(choice)}
              >
                {t('example.start')}
              </Button>
            </Paper>
          )
        })}
      </SimpleGrid>
      {create.isError && <ErrorState error={create.error} />}
    </>
  )
}
