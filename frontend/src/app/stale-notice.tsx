import { Button, Tooltip } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../lib/api/errors'
import { refusalText } from '../lib/refusal-text'

const STALE = {
  type: 'active',
  predicate: ({ state }: Query) => state.status === 'error' && state.data !== undefined,
} as const

/**
 * Says that something on the page could not be brought up to date. What is known of it stays in sight, so that nobody loses what
 * they are doing; nothing moves.
 */
export function StaleNotice() {
  const { t } = useTranslation('common')
  const queries = useQueryClient()
  const subscribe = useCallback((listener: () => void) => queries.getQueryCache().subscribe(notifyManager.batchCalls(listener)), [queries])
  const error = useSyncExternalStore(subscribe, () => queries.getQueryCache().findAll(STALE)[0]?.state.error ?? null)
  if (!error) return null
  return (
    <Tooltip label={error instanceof ApiError ? refusalText(error).title : t('error.title')} multiline maw={320}>
      <Button
        size="compact-xs"
        variant="light"
        color="orange"
        mr="xs"
        leftSection={<IconCloudOff size={13} />}
        onClick={() => void queries.refetchQueries(STALE)}
      >
        {t('error.stale')}
      </Button>
    </Tooltip>
  )
}
