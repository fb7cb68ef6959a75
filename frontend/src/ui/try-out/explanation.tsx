import { Button, Loader, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type { Evidence } from '../../lib/evidence'
import { ErrorState } from '../error-state'

interface TryOutExplanationProps {
  explain: Pick<UseQueryResult<Evidence>, 'data' | 'isError' | 'error' | 'isFetching' | 'refetch'>
  children: (evidence: Evidence) => ReactNode
}

/** Which parts of an item its best answer depends on; computed at the press of a button. */
export function TryOutExplanation({ explain, children }: TryOutExplanationProps) {
  const { t } = useTranslation('deployments')
  if (explain.data) return children(explain.data)
  if (explain.isError) return <ErrorState error={explain.error} />
  if (explain.isFetching) {
    return (
      <Text size="sm" c="dimmed">
        <Loader size="xs" mr="xs" />
        {t('try.explaining')}
      </Text>
    )
  }
  return (
    <Button variant="default" size="compact-sm" onClick={() => void explain.refetch()}>
      {t('try.explain')}
    </Button>
  )
}
