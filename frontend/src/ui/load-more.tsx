import { Button, Center } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface LoadMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The next page of a list. */
export function LoadMore({ query }: LoadMoreProps) {
  const { t } = useTranslation('common')
  if (!query.hasNextPage) return null
  return (
    <Center mt="sm">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t('more')}
      </Button>
    </Center>
  )
}
