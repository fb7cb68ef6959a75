import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ProblemList } from '../../../ui/problem-list'
import { useProblems } from '../api/get-guide'

/** What the data lacks, blocking things first. */
export function Problems({ project }: { project: string }) {
  const { t } = useTranslation('overview')
  const problems = useProblems(project).data?.items ?? []
  if (problems.length === 0) return null
  return (
    <Stack gap="sm">
      <ProblemList isBlocking title={t('blocking')} problems={problems.filter((problem) => problem.severity === 'blocking')} />
      <ProblemList isBlocking={false} title={t('advisory')} problems={problems.filter((problem) => problem.severity === 'advisory')} />
    </Stack>
  )
}
