import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'

import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { ErrorState } from '../../../ui/error-state'
import { PasswordField } from '../../../ui/password-field'
import { useNewPassword } from '../api/session'
import { SessionCard } from '../components/session-card'
import { focusFirst, useFieldChecks } from '../model/form-checks'
import { secretOf } from '../model/link-secret'

/** Where a link to a new password leads. */
export function Component() {
  const { t } = useTranslation('session')
  const [key] = useState(secretOf(useLocation().hash))
  const set = useNewPassword()
  const { newPassword } = useFieldChecks()
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' }, validate: { password: newPassword } })
  const submit = form.onSubmit(
    ({ password }) => set.mutate({ key, password }, { onError: (error) => form.setErrors(fieldErrors(error)) }),
    (errors) => focusFirst(form, errors),
  )
  return (
    <SessionCard title={t('new_password.title')}>
      <Stack gap="md">
        {set.isSuccess && <Alert color="teal">{t('new_password.done')}</Alert>}
        {key === '' && <Alert color="red">{t('link_incomplete')}</Alert>}
        {!set.isSuccess && key !== '' && (
          <form onSubmit={submit} noValidate>
            <Stack gap="sm">
              <PasswordField
                label={t('new_password.label')}
                description={t('password_rule')}
                required
                autoFocus
                autoComplete="new-password"
                key={form.key('password')}
                {...form.getInputProps('password')}
              />
              {set.isError && !isShownByFields(set.error, ['password']) && <ErrorState error={set.error} />}
              <Button type="submit" size="sm" loading={set.isPending}>
                {t('new_password.save')}
              </Button>
            </Stack>
          </form>
        )}
        <Anchor component={Link} to="/sign-in" size="sm" ta="center">
          {t('back_to_sign_in')}
        </Anchor>
      </Stack>
    </SessionCard>
  )
}
