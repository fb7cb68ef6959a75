import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { useResetMail, useSignInOptions } from '../api/session'
import { SessionCard } from '../components/session-card'
import { focusFirst, useFieldChecks } from '../model/form-checks'

/** A way back for who forgot the password: a mail, or whom to ask. */
export function Component() {
  const { t } = useTranslation('session')
  const options = useSignInOptions()
  return (
    <SessionCard title={t('forgot.title')}>
      <Stack gap="md">
        {options.isPending && <LoadingState rows={2} />}
        {options.isError && <ErrorState error={options.error} onRetry={() => void options.refetch()} />}
        {options.data && (options.data.sends_mail ? <Form /> : <Text size="sm">{t('forgot.ask')}</Text>)}
        <Anchor component={Link} to="/sign-in" size="sm" ta="center">
          {t('back_to_sign_in')}
        </Anchor>
      </Stack>
    </SessionCard>
  )
}

function Form() {
  const { t } = useTranslation('session')
  const send = useResetMail()
  const { email } = useFieldChecks()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' }, validate: { email } })
  if (send.isSuccess) return <Alert title={t('sent.title')}>{t('forgot.sent')}</Alert>
  return (
    <form
      onSubmit={form.onSubmit(
        (values) => send.mutate(values.email),
        (errors) => focusFirst(form, errors),
      )}
      noValidate
    >
      <Stack gap="sm">
        <Text size="sm">{t('forgot.text')}</Text>
        <TextInput
          label={t('email')}
          type="email"
          required
          autoFocus
          autoComplete="username"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        {send.isError && <ErrorState error={send.error} />}
        <Button type="submit" size="sm" loading={send.isPending}>
          {t('forgot.send')}
        </Button>
      </Stack>
    </form>
  )
}
