import { Button, Checkbox, Group, Paper, SimpleGrid, Stack, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'

import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import type { Me } from '../../../lib/api/types'
import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { PasswordField } from '../../../ui/password-field'
import { useChangeProfile, useSendsMail } from '../api/settings'

/** Name and password. */
export function Profile({ me }: { me: Me }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} maw={880}>
      <NameForm me={me} />
      <PasswordForm />
    </SimpleGrid>
  )
}

function NameForm({ me }: { me: Me }) {
  const { t } = useTranslation('settings')
  const change = useChangeProfile()
  const sendsMail = useSendsMail().data ?? false
  const form = useForm({ initialValues: { name: me.name, has_notice_mail: me.has_notice_mail } })
  return (
    <Paper component="form" onSubmit={form.onSubmit((values) => afterMutation(change.mutateAsync(values), () => notifyDone(t('saved'))))}>
      <Stack gap="sm">
        <Title order={2}>{t('profile.name')}</Title>
        <TextInput label={t('profile.email')} value={me.email} disabled />
        <TextInput label={t('profile.name')} required maxLength={100} {...form.getInputProps('name')} />
        {sendsMail && (
          <Checkbox
            label={t('profile.notice_mail')}
            description={t('profile.notice_mail_text')}
            {...form.getInputProps('has_notice_mail', { type: 'checkbox' })}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            {t('common:save')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

const PASSWORD_FIELDS = ['old', 'new', 'password', 'password.old', 'password.new']

function PasswordForm() {
  const { t } = useTranslation('settings')
  const change = useChangeProfile({ isErrorShown: true })
  const form = useForm({ initialValues: { old: '', new: '' } })
  const submit = form.onSubmit((password) =>
    afterMutation(
      change.mutateAsync({ password }),
      () => {
        form.reset()
        notifyDone(t('saved'))
      },
      (error) => {
        const fields = fieldErrors(error)
        form.setErrors({ old: fields.old ?? fields['password.old'], new: fields.new ?? fields['password.new'] ?? fields.password })
      },
    ),
  )
  return (
    <Paper component="form" onSubmit={submit}>
      <Stack gap="sm">
        <Title order={2}>{t('profile.password')}</Title>
        <PasswordField label={t('profile.old')} required autoComplete="current-password" {...form.getInputProps('old')} />
        <PasswordField label={t('profile.new')} required minLength={8} autoComplete="new-password" {...form.getInputProps('new')} />
        {change.isError && !isShownByFields(change.error, PASSWORD_FIELDS) && <ErrorState error={change.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            {t('profile.change')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
