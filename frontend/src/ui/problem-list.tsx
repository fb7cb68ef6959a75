import { Alert, List, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'

import type { Problem } from '../lib/api/types'
import { useLocalText } from '../lib/local-text'

interface ProblemListProps {
  title: string
  problems: readonly Problem[]
  isBlocking: boolean
}

/** Problems of one severity, each with its remedy; nothing where there are none. */
export function ProblemList({ title, problems, isBlocking }: ProblemListProps) {
  const text = useLocalText()
  if (!problems.length) return null
  const Icon = isBlocking ? IconAlertTriangle : IconInfoCircle
  return (
    <Alert color={isBlocking ? 'red' : 'yellow'} icon={<Icon size={18} />} title={title} variant="light">
      <List size="sm" spacing={6}>
        {problems.map((problem, index) => (
          <List.Item key={`${problem.code}-${problem.field ?? ''}-${index}`}>
            {text(problem.message)}
            <Text size="sm" c="dimmed">
              {text(problem.remedy)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
