import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'

import type { Me } from '../../../lib/api/types'
import { ErrorState } from '../../../ui/error-state'
import { useSecondFactor } from '../api/session'
import { focusFirst, useFieldChecks } from '../model/form-checks'

/** The second step of a sign-in: the code of the authenticator app, or a recovery code. */
export function SecondStep({ onDone, onBack }: { onDone: (me: Me) => void; onBack: () => void }) {
  const { t } = useTranslation('session')
  const send = useSecondFactor()
  const checks = useFieldChecks()
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' }, validate: { code: checks.code } })
  return (
    <form
      onSubmit={form.onSubmit(
        ({ code }) => send.mutate(code, { onSuccess: onDone }),
        (errors) => focusFirst(form, errors),
      )}
      noValidate
    >
      <Stack gap="sm">
        <Text size="sm">{t('second.text')}</Text>
        <TextInput
          label={t('second.code')}
          required
          autoFocus
          autoComplete="one-time-code"
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        {send.isError && <ErrorState error={send.error} />}
        <Button type="submit" size="sm" loading={send.isPending}>
          {t('sign_in')}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('back_to_sign_in')}
        </Anchor>
      </Stack>
    </form>
  )
}
