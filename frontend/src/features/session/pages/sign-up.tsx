import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'

import type { Language } from '../../../i18n'
import { api, data } from '../../../lib/api/client'
import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { chooseWorkspace } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { PasswordField } from '../../../ui/password-field'
import { useEnter, useInvitation, useSignInOptions } from '../api/session'
import { Providers } from '../components/providers'
import { SessionCard } from '../components/session-card'
import { focusFirst, useFieldChecks } from '../model/form-checks'
import { forgetInvitation, storedInvitation } from '../model/link-secret'

/** A new account; its first workspace comes with it, and the one it was invited to. */
export function Component() {
  const { t } = useTranslation('session')
  const options = useSignInOptions().data
  const isInvited = useLocation().state !== null && storedInvitation() !== ''
  const isClosed = options !== undefined && options.sign_up !== 'open' && !(isInvited && options.sign_up === 'invitation')
  return (
    <SessionCard title={t('sign_up')}>
      <Stack gap="md">
        {isClosed ? <Text size="sm">{t(options.sign_up === 'closed' ? 'closed' : 'by_invitation')}</Text> : <Form isInvited={isInvited} />}
        {/* Of the first person, nobody has an account: the page to sign in leads back here. */}
        {!options?.is_first && (
          <Text size="sm" ta="center">
            {t('known_here')}{' '}
            <Anchor component={Link} to="/sign-in" state={isInvited ? { from: '/invitation' } : null} inherit>
              {t('sign_in')}
            </Anchor>
          </Text>
        )}
      </Stack>
    </SessionCard>
  )
}

function Form({ isInvited }: { isInvited: boolean }) {
  const { t, i18n } = useTranslation('session')
  const navigate = useNavigate()
  const enter = useEnter()
  const secret = isInvited ? storedInvitation() : ''
  const invitation = useInvitation(secret).data
  const { name, email, newPassword: password } = useFieldChecks()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', email: invitation?.email ?? '', password: '' },
    validate: { name, email, password },
  })
  const signUp = useMutation({
    meta: { isErrorShown: true },
    mutationFn: (values: typeof form.values) =>
      data(api.POST('/api/auth/sign-up', { body: { ...values, language: i18n.language as Language, invitation: secret || null } })),
    onSuccess: (me) => {
      if (!('id' in me)) return
      const joined = me.workspaces.find((each) => secret !== '' && each.name === invitation?.workspace)
      forgetInvitation()
      enter(me)
      if (joined) chooseWorkspace(joined.id)
      void navigate('/projects', { replace: true })
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  })
  if (signUp.data && !('id' in signUp.data)) return <Alert title={t('sent.title')}>{t('sent.text', { email: signUp.data.email })}</Alert>
  return (
    <>
      <form
        onSubmit={form.onSubmit(
          (values) => signUp.mutate(values),
          (errors) => focusFirst(form, errors),
        )}
        noValidate
      >
        <Stack gap="sm">
          {invitation && <Text size="sm">{t('invitation.to', { workspace: invitation.workspace })}</Text>}
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
            autoComplete="new-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {signUp.isError && !isShownByFields(signUp.error, ['name', 'email', 'password']) && <ErrorState error={signUp.error} />}
          <Button type="submit" size="sm" loading={signUp.isPending}>
            {t('sign_up')}
          </Button>
        </Stack>
      </form>
      <Providers next="/projects" />
    </>
  )
}
