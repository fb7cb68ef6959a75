import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { confirm } from '../../../ui/confirm'
import { ErrorState } from '../../../ui/error-state'
import { useDeleteAccount, useFactor } from '../api/security'
import { useFresh } from './fresh'

/** The end of one's own account; afterwards the whole page is loaded anew, for nothing of the session is left. */
export function DeleteAccount() {
  const { t } = useTranslation('settings')
  const remove = useDeleteAccount()
  const { run, dialog, error } = useFresh(useFactor().data?.has_password ?? true)
  const ask = () =>
    confirm({
      title: t('deletion.title'),
      children: t('deletion.text'),
      confirm: t('deletion.confirm'),
      isDangerous: true,
      onConfirm: () => run(() => remove.mutateAsync().then(() => window.location.assign('/sign-in'))),
    })
  return (
    <Paper>
      <Stack gap="sm">
        <Title order={2}>{t('deletion.title')}</Title>
        <Text size="sm" c="dimmed">
          {t('deletion.text')}
        </Text>
        <Group>
          <Button variant="light" color="red" loading={remove.isPending} onClick={ask}>
            {t('deletion.confirm')}
          </Button>
        </Group>
        {error !== null && <ErrorState error={error} />}
        {dialog}
      </Stack>
    </Paper>
  )
}
