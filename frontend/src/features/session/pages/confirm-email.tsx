import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'

import { ErrorState } from '../../../ui/error-state'
import { useConfirmEmail } from '../api/session'
import { SessionCard } from '../components/session-card'
import { secretOf } from '../model/link-secret'

/** Where the link of a confirmation mail leads. A click confirms, not the visit: programs that read mail visit links too. */
export function Component() {
  const { t } = useTranslation('session')
  const key = secretOf(useLocation().hash)
  const confirm = useConfirmEmail()
  return (
    <SessionCard title={t('confirm.title')}>
      <Stack gap="md">
        {key === '' && <Alert color="red">{t('link_incomplete')}</Alert>}
        {confirm.isSuccess && <Alert color="teal">{t('confirm.done')}</Alert>}
        {confirm.isError && <ErrorState error={confirm.error} />}
        {key !== '' && !confirm.isSuccess && (
          <>
            <Text size="sm">{t('confirm.text')}</Text>
            <Button size="sm" autoFocus loading={confirm.isPending} onClick={() => confirm.mutate(key)}>
              {t('confirm.do')}
            </Button>
          </>
        )}
        <Anchor component={Link} to="/sign-in" size="sm" ta="center">
          {t('back_to_sign_in')}
        </Anchor>
      </Stack>
    </SessionCard>
  )
}
