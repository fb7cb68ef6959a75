import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'

import type { Role } from '../../../lib/api/types'
import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { useInviteToProject } from '../../../lib/project/access'
import { ErrorState } from '../../../ui/error-state'
import { LinkOnce } from '../../../ui/link-once'
import { PROJECT_ROLES, RoleSelect } from '../../../ui/role-select'

/** A link by which somebody who is not in the workspace joins this project only. */
export function InvitePerson({ project, workspace }: { project: string; workspace: string }) {
  const { t } = useTranslation('access')
  const invite = useInviteToProject(project, workspace)
  const form = useForm({ initialValues: { email: '', role: 'labeller' as Role } })
  const submit = form.onSubmit((values) =>
    invite.mutate(values, { onSuccess: () => form.reset(), onError: (error) => form.setErrors(fieldErrors(error)) }),
  )
  return (
    <Paper component="form" onSubmit={submit}>
      <Stack gap="sm">
        <Title order={2}>{t('invite.title')}</Title>
        <Text size="sm" c="dimmed">
          {t('invite.text')}
        </Text>
        <Group align="flex-end" wrap="wrap">
          <TextInput
            style={{ flex: 1, minWidth: 220 }}
            type="email"
            label={t('settings:invitations.email')}
            description={t('settings:invitations.email_text')}
            {...form.getInputProps('email')}
          />
          <RoleSelect
            label={t('role')}
            w={160}
            roles={PROJECT_ROLES}
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role)}
          />
          <Button type="submit" size="sm" variant="default" loading={invite.isPending}>
            {t('settings:invitations.make')}
          </Button>
        </Group>
        {invite.isError && !isShownByFields(invite.error, ['email']) && <ErrorState error={invite.error} />}
        {invite.data && (
          <LinkOnce
            title={t(invite.data.is_mailed ? 'settings:invitations.mailed' : 'settings:invitations.made')}
            text={t('settings:invitations.once')}
            link={invite.data.link}
          />
        )}
      </Stack>
    </Paper>
  )
}
