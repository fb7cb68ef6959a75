import { Button, Center } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorState } from './error-state'

interface LoadMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; isFetchNextPageError: boolean; error: unknown; fetchNextPage: () => unknown }
}

/** The next page of a list. */
export function LoadMore({ query }: LoadMoreProps) {
  const { t } = useTranslation('common')
  if (!query.hasNextPage) return null
  if (query.isFetchNextPageError) return <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />
  return (
    <Center mt="sm">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t('more')}
      </Button>
    </Center>
  )
}
