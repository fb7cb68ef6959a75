import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../lib/api/errors'
import { refusalText } from '../lib/refusal-text'

interface ErrorStateProps {
  error: unknown
  onRetry?: () => void
  /** What leads out of it, where trying again may not. */
  action?: ReactNode
}

/** What went wrong and what to do. The code stands there only where the dictionary has no words for it: whoever is asked for help needs it. */
export function ErrorState({ error, onRetry, action }: ErrorStateProps) {
  const { t, i18n } = useTranslation('common')
  const known = error instanceof ApiError ? error : null
  const { title, detail, hint } = known
    ? refusalText(known)
    : { title: t('error.title'), detail: error instanceof Error ? error.message : '', hint: '' }
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={title} role="alert" variant="light">
      {detail && <Text size="sm">{detail}</Text>}
      {hint && <Text size="sm">{hint}</Text>}
      {known && known.code !== 'offline' && !i18n.exists(`refusals:${known.code}.title`) && (
        <Text size="xs" c="dimmed" ff="monospace">
          {known.code}
        </Text>
      )}
      {(onRetry || action) && (
        <Group mt="xs" gap="xs">
          {action}
          {onRetry && (
            <Button variant="default" onClick={onRetry}>
              {t('error.retry')}
            </Button>
          )}
        </Group>
      )}
    </Alert>
  )
}
