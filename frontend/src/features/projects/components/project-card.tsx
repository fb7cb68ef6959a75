import { Group, Paper, Progress, Text, Tooltip } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatMetric } from '../../../charts/format/format'
import { ItemsCard } from '../../../items/items-card'
import type { ProjectCard as Card, Task } from '../../../lib/api/types'
import { formatNumber } from '../../../lib/format'
import { isTooFew } from '../../../lib/listed-metric'
import { useLocalText } from '../../../lib/local-text'
import { TaskDrawing } from '../../../ui/task-drawing'
import { RelativeTime } from '../../../ui/relative-time'
import classes from './project-card.module.css'
import { ProjectMenu } from './project-menu'

interface ProjectCardProps {
  project: Card
  task: Task | undefined
  canChange: boolean
}

/** A project at a glance: what is in it, how much is labelled, how good its best model is. */
export function ProjectCard({ project, task, canChange }: ProjectCardProps) {
  const { t } = useTranslation('projects')
  const local = useLocalText()
  const { items, annotated, artefacts, deployments } = project.counts
  const { figure } = project
  const metric = task?.metrics.find(({ name }) => name === figure?.metric)
  return (
    <div className={classes.frame}>
      <Paper component={Link} to={`/projects/${project.id}`} className={classes.card} p={0} aria-label={project.name}>
        {task && project.items.length > 0 ? (
          <ItemsCard kind={task.modality} items={project.items} />
        ) : (
          <div className={classes.empty}>
            <TaskDrawing task={project.task} height={80} />
          </div>
        )}
        <div className={classes.words}>
          <Group gap={6} wrap="nowrap">
            <Text fw={600} truncate>
              {project.name}
            </Text>
            {project.is_restricted && (
              <Tooltip label={t('restricted')}>
                <IconLock size={14} stroke={1.8} role="img" aria-label={t('restricted')} style={{ flex: 'none' }} />
              </Tooltip>
            )}
          </Group>
          <Text size="xs" c="dimmed" truncate>
            {task ? local(task.title) : project.task} · <RelativeTime value={project.active_at} />
          </Text>
          {project.description && (
            <Text size="sm" c="dimmed" truncate>
              {project.description}
            </Text>
          )}
        </div>
        <div className={classes.foot}>
          {figure && (
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Text size="xs" c="dimmed" truncate>
                {t(`figure.${figure.split}`, { metric: metric ? local(metric.title) : figure.metric })}
              </Text>
              {isTooFew(figure.num_items) ? (
                <Text size="xs">{t('figure.too_few')}</Text>
              ) : (
                <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {formatMetric(figure.metric, figure.value)}
                </Text>
              )}
            </Group>
          )}
          {items > 0 && (
            <Progress
              value={(100 * annotated) / items}
              size="xs"
              my={6}
              aria-label={t('labelled', { annotated: formatNumber(annotated), items: formatNumber(items) })}
            />
          )}
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed">
              {items > 0 ? t('labelled', { annotated: formatNumber(annotated), items: formatNumber(items) }) : t('no_data')}
            </Text>
            {artefacts > 0 && (
              <Text size="xs" c="dimmed">
                {t('models', { count: artefacts })}
                {deployments > 0 && ` · ${t('services', { count: deployments })}`}
              </Text>
            )}
          </Group>
        </div>
      </Paper>
      {canChange && (
        <div className={classes.menu}>
          <ProjectMenu project={project} />
        </div>
      )}
    </div>
  )
}
