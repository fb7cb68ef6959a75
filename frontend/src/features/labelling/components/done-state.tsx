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
  const isEmpty = !isShared && project.counts.items === 0
  const words = isShared
    ? { title: t('shared.done'), text: t('shared.done_text'), action: t('shared.tasks'), to: '/tasks' }
    : isEmpty
      ? { title: t('empty.title'), text: t('empty.text'), action: t('empty.action'), to: `${base}/data` }
      : { title: t('done.title'), text: t('done.text'), action: t('done.action'), to: `${base}/versions` }
  const Icon = isEmpty ? IconPhotoPlus : IconChecks
  return (
    <EmptyState
      icon={<Icon size={40} stroke={1.2} />}
      title={words.title}
      action={
        <Group>
          {hasVisited && (
            <Button variant="default" onClick={onBack}>
              {t('done.back')}
            </Button>
          )}
          <Button component={Link} to={words.to}>
            {words.action}
          </Button>
        </Group>
      }
    >
      {words.text}
    </EmptyState>
  )
}
