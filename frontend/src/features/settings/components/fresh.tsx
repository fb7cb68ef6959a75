import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ApiError } from '../../../lib/api/errors'
import { ErrorState } from '../../../ui/error-state'
import { PasswordField } from '../../../ui/password-field'
import { useReauthenticate } from '../api/security'

/** Does what needs a fresh session; when the server asks who it is, the person is asked, and it is done again. */
export function useFresh(hasPassword: boolean): { run: (action: () => Promise<unknown>) => void; dialog: ReactNode; error: unknown } {
  const [waiting, setWaiting] = useState<(() => Promise<unknown>) | null>(null)
  const [error, setError] = useState<unknown>(null)
  const run = (action: () => Promise<unknown>) => {
    setError(null)
    action().catch((refused: unknown) => {
      if (refused instanceof ApiError && refused.code === 'reauthentication_needed') setWaiting(() => action)
      else setError(refused)
    })
  }
  const done = () => {
    const action = waiting
    setWaiting(null)
    if (action) run(action)
  }
  const dialog = <Question isOpen={waiting !== null} hasPassword={hasPassword} onDone={done} onClose={() => setWaiting(null)} />
  return { run, dialog, error }
}

interface QuestionProps {
  isOpen: boolean
  hasPassword: boolean
  onDone: () => void
  onClose: () => void
}

function Question({ isOpen, hasPassword, onDone, onClose }: QuestionProps) {
  const { t } = useTranslation('settings')
  const reauthenticate = useReauthenticate()
  const form = useForm({ initialValues: { secret: '' } })
  const close = () => {
    form.reset()
    reauthenticate.reset()
    onClose()
  }
  const submit = form.onSubmit(({ secret }) =>
    reauthenticate.mutate(hasPassword ? { password: secret } : { code: secret }, {
      onSuccess: () => {
        form.reset()
        onDone()
      },
    }),
  )
  return (
    <Modal opened={isOpen} onClose={close} title={t('fresh.title')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{t(hasPassword ? 'fresh.password_text' : 'fresh.code_text')}</Text>
          {hasPassword ? (
            <PasswordField
              label={t('profile.old')}
              required
              data-autofocus
              autoComplete="current-password"
              {...form.getInputProps('secret')}
            />
          ) : (
            <TextInput label={t('factor.code')} required data-autofocus autoComplete="one-time-code" {...form.getInputProps('secret')} />
          )}
          {reauthenticate.isError && <ErrorState error={reauthenticate.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={reauthenticate.isPending}>
              {t('fresh.go_on')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
