import { Alert, Anchor, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Problem } from '../lib/api/types'
import { useLocalText } from '../lib/local-text'
import { groupProblems } from './group-problems'

interface ProblemListProps {
  title: string
  problems: readonly Problem[]
  isBlocking: boolean
  /** Where a problem is mended, and how the link there is called. */
  placeOf?: (problem: Problem) => { to: string; title: string }
}

/** Problems of one severity, those of a kind as one line, each with its remedy; nothing where there are none. */
export function ProblemList({ title, problems, isBlocking, placeOf }: ProblemListProps) {
  const { t } = useTranslation('common')
  const text = useLocalText()
  if (!problems.length) return null
  const Icon = isBlocking ? IconAlertTriangle : IconInfoCircle
  return (
    <Alert color={isBlocking ? 'red' : 'yellow'} icon={<Icon size={18} />} title={title} variant="light">
      <List size="sm" spacing={6}>
        {groupProblems(problems).map(({ first, numMore }) => {
          const place = placeOf?.(first)
          return (
            <List.Item key={`${first.code}-${first.field ?? ''}`}>
              {text(first.message)} {numMore > 0 && t('problems_more', { count: numMore })}
              <Text size="sm" c="dimmed">
                {text(first.remedy)}{' '}
                {place && (
                  <Anchor component={Link} to={place.to} inherit>
                    {place.title}
                  </Anchor>
                )}
              </Text>
            </List.Item>
          )
        })}
      </List>
    </Alert>
  )
}
