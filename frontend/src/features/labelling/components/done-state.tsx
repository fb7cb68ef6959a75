import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { EmptyState } from '../../../ui/empty-state'

interface DoneStateProps {
  project: Project
  /** A person's share of a campaign is through. */
  isShared: boolean
  /** The gallery's order is through, not the queue. */
  isList: boolean
  hasVisited: boolean
  numPassed: number
  onBack: () => void
  onAgain: () => void
}

/** The end: because all is done, because pictures were passed over, or because nothing was uploaded. */
export function DoneState({ project, isShared, isList, hasVisited, numPassed, onBack, onAgain }: DoneStateProps) {
  const { t } = useTranslation('labelling')
  const base = `/projects/${project.id}`
  const isEmpty = !isShared && project.counts.items === 0
  const words = isShared
    ? { title: t('shared.done'), text: t('shared.done_text'), action: t('shared.tasks'), to: '/tasks' }
    : isEmpty
      ? { title: t('empty.title'), text: t('empty.text'), action: t('empty.action'), to: `${base}/data` }
      : isList
        ? { title: t('end.title'), text: t('end.text'), action: t('end.action'), to: `${base}/labelling` }
        : { title: t('done.title'), text: t('done.text'), action: t('done.action'), to: `${base}/versions` }
  const isAllLabelled = !isShared && !isEmpty && !isList
  const browse = isAllLabelled && (
    <Button variant="default" component={Link} to={`${base}/data?state=annotated`}>
      {t('done.browse')}
    </Button>
  )
  const back = hasVisited && (
    <Button variant="default" onClick={onBack}>
      {t('done.back')}
    </Button>
  )
  if (numPassed > 0)
    return (
      <EmptyState
        drawing="labels"
        title={t('passed.title')}
        action={
          <Group>
            {back}
            <Button onClick={onAgain}>{t('passed.action')}</Button>
          </Group>
        }
      >
        {t('passed.text', { count: numPassed })}
      </EmptyState>
    )
  return (
    <EmptyState
      drawing={isEmpty ? 'data' : 'done'}
      title={words.title}
      action={
        <Group>
          {back}
          {browse}
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
