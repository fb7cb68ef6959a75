import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'

import { api, data } from '../../../lib/api/client'
import { ME } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { PasswordField } from '../../../ui/password-field'
import { SessionCard } from '../components/session-card'

/** Sign in, and back to where one was going. */
export function Component() {
  const { t } = useTranslation('session')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const from = (useLocation().state as { from?: string } | null)?.from ?? '/projects'
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } })
  const signIn = useMutation({
    meta: { isErrorShown: true },
    mutationFn: (body: typeof form.values) => data(api.POST('/api/auth/sign-in', { body })),
    onSuccess: (me) => {
      queries.clear()
      queries.setQueryData(ME, me)
      void navigate(from, { replace: true })
    },
  })
  return (
    <SessionCard title={t('sign_in')}>
      <form onSubmit={form.onSubmit((values) => signIn.mutate(values))}>
        <Stack gap="sm">
          <TextInput
            label={t('email')}
            type="email"
            required
            autoComplete="username"
            autoFocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={t('password')}
            required
            autoComplete="current-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {signIn.isError && <ErrorState error={signIn.error} />}
          <Button type="submit" size="sm" loading={signIn.isPending}>
            {t('sign_in')}
          </Button>
          <Text size="sm" ta="center">
            {t('new_here')}{' '}
            <Anchor component={Link} to="/sign-up" inherit>
              {t('sign_up')}
            </Anchor>
          </Text>
        </Stack>
      </form>
    </SessionCard>
  )
}
