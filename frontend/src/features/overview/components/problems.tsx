import { Alert, Stack, Text, Title } from '@mantine/core'
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import { useProblems } from '../api/get-guide'

/** What the data lacks, blocking things first. */
export function Problems({ project }: { project: string }) {
  const { t } = useTranslation('overview')
  const local = useLocalText()
  const problems = useProblems(project).data?.items ?? []
  if (problems.length === 0) return null
  const sorted = [...problems].sort((one, other) => Number(other.severity === 'blocking') - Number(one.severity === 'blocking'))
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>{t('problems')}</Title>
      {sorted.map((problem) => (
        <Alert
          key={[problem.code, problem.item, problem.field].join()}
          color={problem.severity === 'blocking' ? 'red' : 'yellow'}
          icon={problem.severity === 'blocking' ? <IconAlertCircle size={18} /> : <IconInfoCircle size={18} />}
          title={local(problem.message)}
        >
          <Text size="sm">{local(problem.remedy)}</Text>
        </Alert>
      ))}
    </Stack>
  )
}
