import { Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { useLocalText } from '../../../lib/local-text'
import { RelativeTime } from '../../../ui/relative-time'
import { useTasks } from '../api/get-projects'
import classes from './project-card.module.css'
import { ProjectMenu } from './project-menu'

/** A project at a glance: how much is labelled, what came of it. */
export function ProjectCard({ project, canChange }: { project: Project; canChange: boolean }) {
  const { t } = useTranslation('projects')
  const local = useLocalText()
  const task = useTasks().data?.find((one) => one.name === project.task)
  const { items, annotated, artefacts, deployments } = project.counts
  return (
    <div className={classes.frame}>
      <Paper component={Link} to={`/projects/${project.id}`} className={classes.card}>
        <Stack gap={6} h="100%">
          <Text fw={600} truncate pr={canChange ? 32 : 0}>
            {project.name}
          </Text>
          <Text size="xs" c="dimmed">
            {task ? local(task.title) : project.task} · <RelativeTime value={project.created_at} />
          </Text>
          <Text size="sm" c="dimmed" lineClamp={2} mih={38}>
            {project.description}
          </Text>
          <Progress value={items ? (100 * annotated) / items : 0} size="xs" aria-label={t('labelled', { annotated, items })} />
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed">
              {t('labelled', { annotated, items })}
            </Text>
            <Text size="xs" c="dimmed">
              {t('models', { count: artefacts })} · {t('services', { count: deployments })}
            </Text>
          </Group>
        </Stack>
      </Paper>
      {canChange && (
        <div className={classes.menu}>
          <ProjectMenu project={project} />
        </div>
      )}
    </div>
  )
}
