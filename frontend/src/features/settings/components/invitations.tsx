import { ActionIcon, Button, Group, NumberInput, Paper, Stack, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { Invitation, Role } from '../../../lib/api/types'
import { fieldErrors, isShownByFields } from '../../../lib/field-errors'
import { confirm } from '../../../ui/confirm'
import { type Column, DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useInvitations, useInvite, useRevokeInvitation } from '../api/invitations'
import { LinkOnce } from '../../../ui/link-once'
import { RoleSelect } from '../../../ui/role-select'

/** Links by which people join, and those that are good still. */
export function Invitations({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const invitations = useInvitations(workspace)
  const revoke = useRevokeInvitation(workspace)
  const columns: Column<Invitation>[] = [
    { key: 'for', title: t('invitations.for'), render: (row) => row.email || t('invitations.anybody') },
    { key: 'place', title: t('invitations.place'), render: (row) => row.project_name ?? t('invitations.workspace') },
    { key: 'role', title: t('roles:title'), width: 130, render: (row) => t(`roles:${row.role}.name`) },
    { key: 'uses', title: t('invitations.uses'), width: 100, render: (row) => `${row.num_uses} / ${row.max_uses}` },
    { key: 'expires', title: t('invitations.expires'), width: 150, render: (row) => <RelativeTime value={row.expires_at} /> },
    {
      key: 'revoke',
      title: '',
      width: 48,
      render: (row) => (
        <ActionIcon
          aria-label={t('invitations.revoke')}
          onClick={() =>
            confirm({
              title: t('invitations.revoke'),
              children: t('invitations.revoke_text'),
              confirm: t('invitations.revoke'),
              isDangerous: true,
              onConfirm: () => revoke.mutate(row.id),
            })
          }
        >
          <IconTrash size={16} />
        </ActionIcon>
      ),
    },
  ]
  return (
    <Stack>
      <NewInvitation workspace={workspace} />
      {invitations.isPending && <LoadingState rows={1} />}
      {invitations.isLoadingError && <ErrorState error={invitations.error} onRetry={() => void invitations.refetch()} />}
      {invitations.data && invitations.data.length > 0 && (
        <>
          <Title order={3}>{t('invitations.open')}</Title>
          <DataTable caption={t('invitations.open')} columns={columns} rows={invitations.data} rowKey={(row) => row.id} />
        </>
      )}
    </Stack>
  )
}

const FIELDS = ['email', 'days', 'max_uses']

function NewInvitation({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const invite = useInvite(workspace)
  const form = useForm({ initialValues: { email: '', role: 'labeller' as Role, days: 7, max_uses: 1 } })
  const isForOne = form.values.email.trim() !== ''
  const submit = form.onSubmit((values) =>
    invite.mutate(
      { ...values, max_uses: isForOne ? 1 : values.max_uses },
      { onSuccess: () => form.reset(), onError: (error) => form.setErrors(fieldErrors(error)) },
    ),
  )
  return (
    <Paper component="form" onSubmit={submit}>
      <Stack gap="sm">
        <Title order={2}>{t('invitations.title')}</Title>
        <Group align="flex-end" wrap="wrap">
          <TextInput
            style={{ flex: 1, minWidth: 220 }}
            type="email"
            label={t('invitations.email')}
            description={t('invitations.email_text')}
            {...form.getInputProps('email')}
          />
          <RoleSelect label={t('roles:title')} w={150} value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
          <NumberInput label={t('invitations.days')} w={110} min={1} max={90} allowDecimal={false} {...form.getInputProps('days')} />
          <NumberInput
            label={t('invitations.max_uses')}
            w={110}
            min={1}
            max={1000}
            allowDecimal={false}
            disabled={isForOne}
            {...form.getInputProps('max_uses')}
            value={isForOne ? 1 : form.values.max_uses}
          />
          <Button type="submit" size="sm" loading={invite.isPending}>
            {t('invitations.make')}
          </Button>
        </Group>
        {invite.isError && !isShownByFields(invite.error, FIELDS) && <ErrorState error={invite.error} />}
        {invite.data && (
          <LinkOnce
            title={t(invite.data.is_mailed ? 'invitations.mailed' : 'invitations.made')}
            text={t('invitations.once')}
            link={invite.data.link}
          />
        )}
      </Stack>
    </Paper>
  )
}
