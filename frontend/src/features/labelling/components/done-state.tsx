import { Button, Group } from '@mantine/core'
import { IconChecks, IconPhotoPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { EmptyState } from '../../../ui/empty-state'

interface DoneStateProps {
  project: Project
  /** A person's share of a campaign is through. */
  isShared: boolean
  hasVisited: boolean
  onBack: () => void
}

/** Nothing left to label: because all is done, or because nothing was uploaded. */
export function DoneState({ project, isShared, hasVisited, onBack }: DoneStateProps) {
  const { t } = useTranslation('labelling')
  const base = `/projects/${project.id}`
  if (isShared) {
    return (
      <EmptyState
        icon={<IconChecks size={40} stroke={1.2} />}
        title={t('shared.done')}
        action={
          <Group>
            {hasVisited && (
              <Button variant="default" onClick={onBack}>
                {t('done.back')}
              </Button>
            )}
            <Button component={Link} to="/tasks">
              {t('shared.tasks')}
            </Button>
          </Group>
        }
      >
        {t('shared.done_text')}
      </EmptyState>
    )
  }
  if (project.counts.items === 0) {
    return (
      <EmptyState
        icon={<IconPhotoPlus size={40} stroke={1.2} />}
        title={t('empty.title')}
        action={
          <Button component={Link} to={`${base}/data`}>
            {t('empty.action')}
          </Button>
        }
      >
        {t('empty.text')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<IconChecks size={40} stroke={1.2} />}
      title={t('done.title')}
      action={
        <Group>
          {hasVisited && (
            <Button variant="default" onClick={onBack}>
              {t('done.back')}
            </Button>
          )}
          <Button component={Link} to={`${base}/versions`}>
            {t('done.action')}
          </Button>
        </Group>
      }
    >
      {t('done.text')}
    </EmptyState>
  )
}
