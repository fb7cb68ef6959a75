import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'

import { ApiError } from '../../../lib/api/errors'
import type { Me } from '../../../lib/api/types'
import { ErrorState } from '../../../ui/error-state'
import { PasswordField } from '../../../ui/password-field'
import { useEnter, useSignIn, useSignInOptions } from '../api/session'
import { Providers } from '../components/providers'
import { SecondStep } from '../components/second-step'
import { SessionCard } from '../components/session-card'
import { focusFirst, useFieldChecks } from '../model/form-checks'

/** Sign in, and back to where one was going. */
export function Component() {
  const { t } = useTranslation('session')
  const navigate = useNavigate()
  const enter = useEnter()
  const options = useSignInOptions()
  const from = (useLocation().state as { from?: string } | null)?.from ?? '/projects'
  const [isSubmitted, setSubmitted] = useState(false)
  const isHalfway = isSubmitted || (options.isFetchedAfterMount && options.data?.step === 'mfa_authenticate')
  const [isStartedAnew, setStartedAnew] = useState(false)
  const done = (me: Me) => {
    enter(me)
    void navigate(from, { replace: true })
  }
  if (options.data?.is_first) return <Navigate to="/sign-up" replace state={{ from }} />
  return (
    <SessionCard title={t('sign_in')}>
      {isHalfway && !isStartedAnew ? (
        <SecondStep onDone={done} onBack={() => setStartedAnew(true)} />
      ) : (
        <PasswordStep
          from={from}
          onDone={done}
          onHalfway={() => {
            setStartedAnew(false)
            setSubmitted(true)
          }}
        />
      )}
    </SessionCard>
  )
}

function PasswordStep({ from, onDone, onHalfway }: { from: string; onDone: (me: Me) => void; onHalfway: () => void }) {
  const { t } = useTranslation('session')
  const options = useSignInOptions()
  const signIn = useSignIn()
  const { email, password } = useFieldChecks()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' }, validate: { email, password } })
  const submit = form.onSubmit(
    (values) =>
      signIn.mutate(values, {
        onSuccess: onDone,
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'second_factor_needed') onHalfway()
        },
      }),
    (errors) => focusFirst(form, errors),
  )
  return (
    <Stack gap="md">
      <Returned step={options.data?.step} />
      <form onSubmit={submit} noValidate>
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
          <Anchor component={Link} to="/forgot-password" size="sm" ta="center">
            {t('forgot.question')}
          </Anchor>
        </Stack>
      </form>
      <Providers next={from} />
      {options.data?.sign_up === 'open' && (
        <Text size="sm" ta="center">
          {t('new_here')}{' '}
          <Anchor component={Link} to="/sign-up" inherit>
            {t('sign_up')}
          </Anchor>
        </Text>
      )}
      {options.data?.sign_up === 'invitation' && (
        <Text size="sm" ta="center" c="dimmed">
          {t('by_invitation')}
        </Text>
      )}
    </Stack>
  )
}

/** Why somebody came back from a service without being signed in. */
function Returned({ step }: { step: string | null | undefined }) {
  const { t } = useTranslation('session')
  const [search] = useSearchParams()
  const error = search.get('error')
  if (step === 'provider_sign_up') return <Alert color="red">{t('provider.known')}</Alert>
  if (error === 'signup_closed') return <Alert color="red">{t('provider.closed')}</Alert>
  if (error) return <Alert color="red">{t('provider.failed')}</Alert>
  return null
}
