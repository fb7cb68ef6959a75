import { Button, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { api, data } from '../../../lib/api/client'
import { ME, useMe } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { PasswordField } from '../../../ui/password-field'

interface SignInAgainProps {
  opened: boolean
  count: number
  onClose: () => void
  onDone: () => void
}

/** The session has ended in mid-work: the same person signs in again without leaving the page. */
export function SignInAgain({ opened, count, onClose, onDone }: SignInAgainProps) {
  const { t } = useTranslation('labelling')
  const queries = useQueryClient()
  const email = useMe().data?.email ?? ''
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    meta: { isErrorShown: true },
    mutationFn: () => data(api.POST('/api/auth/sign-in', { body: { email, password } })),
    onSuccess: (me) => {
      queries.setQueryData(ME, me)
      setPassword('')
      onDone()
    },
  })
  const close = () => {
    signIn.reset()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <Modal opened={opened} onClose={close} title={t('again.title')} size="sm">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{t('again.text', { count })}</Text>
          <Text size="sm" fw={600}>
            {email}
          </Text>
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <PasswordField
            label={t('again.password')}
            required
            data-autofocus
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {signIn.isError && <ErrorState error={signIn.error} />}
          <Button type="submit" loading={signIn.isPending}>
            {t('again.submit')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
