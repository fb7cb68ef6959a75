import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Takes the space of the content to come, so that the layout does not shift. */
export function LoadingState({ rows = 6, height = 36 }: { rows?: number; height?: number }) {
  const { t } = useTranslation('common')
  return (
    <Stack gap="xs" role="status" aria-busy>
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  )
}
