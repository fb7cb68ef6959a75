import { Button, Divider, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { useProvider, useSignInOptions } from '../api/session'
import { storedInvitation } from '../model/link-secret'

/** A button for each service that one may sign in with; nothing where there is none. */
export function Providers({ next }: { next: string }) {
  const { t } = useTranslation('session')
  const providers = useSignInOptions().data?.providers ?? []
  const go = useProvider()
  if (providers.length === 0) return null
  return (
    <Stack gap="sm">
      <Divider label={t('or')} />
      {providers.map((provider) => (
        <Button
          key={provider.id}
          variant="default"
          size="sm"
          loading={go.isPending || go.isSuccess}
          onClick={() => go.mutate({ provider: provider.id, next, invitation: storedInvitation() || undefined })}
        >
          {t('sign_in_with', { name: provider.name })}
        </Button>
      ))}
      {go.isError && <ErrorState error={go.error} />}
    </Stack>
  )
}
