import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Task } from '../../../lib/api/types'
import { Drawing } from '../../../ui/drawing/drawing'
import { Examples } from './examples'
import classes from './welcome.module.css'

/** What is done, by its drawing. */
const STEPS = ['data', 'train', 'use'] as const

interface WelcomeProps {
  workspace: string
  tasks: readonly Task[]
  /** Whether this person may make projects. */
  canCreate: boolean
  /** The buttons that make a project. */
  children: ReactNode
}

/** A workspace without projects: what is done here, in three steps, and examples to try it with. */
export function Welcome({ workspace, tasks, canCreate, children }: WelcomeProps) {
  const { t } = useTranslation('projects')
  const examples = tasks.filter((task) => task.has_examples && !task.is_draft)
  return (
    <Stack gap="xl">
      <Paper p="lg">
        <Title order={2}>{t('empty.title')}</Title>
        <Text size="sm" c="dimmed" mt={4} maw={640}>
          {t('empty.text')}
        </Text>
        <SimpleGrid component="ol" className={classes.steps} cols={{ base: 1, sm: 3 }} spacing="lg" my="lg">
          {STEPS.map((step, place) => (
            <li key={step} className={classes.step}>
              <Drawing scene={step} />
              <div>
                <Text fw={600}>
                  {place + 1}. {t(`step.${step}.title`)}
                </Text>
                <Text size="sm" c="dimmed">
                  {t(`step.${step}.text`)}
                </Text>
              </div>
            </li>
          ))}
        </SimpleGrid>
        {canCreate ? <Group gap="xs">{children}</Group> : <Text size="sm">{t('empty.no_right')}</Text>}
      </Paper>
      {canCreate && examples.length > 0 && (
        <section aria-labelledby="examples">
          <Title order={2} id="examples">
            {t('example.title')}
          </Title>
          <Text size="sm" c="dimmed" mb="md">
            {t('example.text')}
          </Text>
          <Examples workspace={workspace} tasks={examples} />
        </section>
      )}
    </Stack>
  )
}
