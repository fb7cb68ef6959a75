import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'

import type { Language } from '../../../i18n'
import { api, data } from '../../../lib/api/client'
import { fieldErrors, isSaidByFields } from '../../../lib/field-errors'
import { ME } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { PasswordField } from '../../../ui/password-field'
import { SessionCard } from '../components/session-card'

/** A new account; its first workspace comes with it. */
export function Component() {
  const { t, i18n } = useTranslation('session')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: '', email: '', password: '' } })
  const signUp = useMutation({
    meta: { isErrorShown: true },
    mutationFn: (values: typeof form.values) =>
      data(api.POST('/api/auth/sign-up', { body: { ...values, language: i18n.language as Language } })),
    onSuccess: (me) => {
      queries.clear()
      queries.setQueryData(ME, me)
      void navigate('/projects', { replace: true })
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  })
  return (
    <SessionCard title={t('sign_up')}>
      <form onSubmit={form.onSubmit((values) => signUp.mutate(values))}>
        <Stack gap="sm">
          <TextInput label={t('name')} required autoComplete="name" autoFocus key={form.key('name')} {...form.getInputProps('name')} />
          <TextInput
            label={t('email')}
            type="email"
            required
            autoComplete="username"
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={t('password')}
            description={t('password_rule')}
            required
            minLength={8}
            autoComplete="new-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {signUp.isError && !isSaidByFields(signUp.error, ['name', 'email', 'password']) && <ErrorState error={signUp.error} />}
          <Button type="submit" size="sm" loading={signUp.isPending}>
            {t('sign_up')}
          </Button>
          <Text size="sm" ta="center">
            {t('known_here')}{' '}
            <Anchor component={Link} to="/sign-in" inherit>
              {t('sign_in')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </SessionCard>
  )
}
