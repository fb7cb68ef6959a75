import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'

import { chooseWorkspace, useMe } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { useAccept, useInvitation } from '../api/session'
import { SessionCard } from '../components/session-card'
import { forgetInvitation, keepInvitation, storedInvitation, secretOf } from '../model/link-secret'

/** Where an invitation's link leads: what it is to, and yes. */
export function Component() {
  const { t } = useTranslation('session')
  const hash = useLocation().hash
  const [secret] = useState(() => secretOf(hash) || storedInvitation())
  const invitation = useInvitation(secret)
  const found = invitation.data
  useEffect(() => {
    if (secret) keepInvitation(secret)
  }, [secret])
  return (
    <SessionCard title={t('invitation.title')}>
      {secret === '' && <Alert color="red">{t('link_incomplete')}</Alert>}
      {secret !== '' && invitation.isPending && <LoadingState rows={2} />}
      {invitation.isError && <ErrorState error={invitation.error} />}
      {found && (
        <Stack gap="md">
          <Text size="sm">
            {t(`invitation.${found.invited_by ? 'by' : 'to'}${found.project ? '_project' : ''}`, {
              name: found.invited_by,
              workspace: found.workspace,
              project: found.project,
            })}{' '}
            {t('invitation.as', { role: t(`roles:${found.role}.name`) })}
          </Text>
          {found.email && (
            <Text size="sm" c="dimmed">
              {t('invitation.for', { email: found.email })}
            </Text>
          )}
          <Answer secret={secret} canSignUp={found.can_sign_up} isOfProject={found.project !== null} />
        </Stack>
      )}
    </SessionCard>
  )
}

function Answer({ secret, canSignUp, isOfProject }: { secret: string; canSignUp: boolean; isOfProject: boolean }) {
  const { t } = useTranslation('session')
  const me = useMe()
  const accept = useAccept()
  const navigate = useNavigate()
  const queries = useQueryClient()
  if (me.isPending) return <LoadingState rows={1} />
  if (!me.data)
    return (
      <>
        {canSignUp && (
          <Button component={Link} to="/sign-up" state={{ isInvited: true }} size="sm">
            {t('invitation.sign_up')}
          </Button>
        )}
        <Button component={Link} to="/sign-in" state={{ from: '/invitation' }} size="sm" variant="default">
          {t('invitation.sign_in')}
        </Button>
      </>
    )
  return (
    <>
      <Text size="sm">{t('invitation.signed_in', { email: me.data.email })}</Text>
      <Button
        size="sm"
        autoFocus
        loading={accept.isPending}
        onClick={() =>
          accept.mutate(secret, {
            onSuccess: ({ workspace, project }) => {
              forgetInvitation()
              queries.clear()
              chooseWorkspace(workspace)
              void navigate(project ? `/projects/${project}` : '/projects', { replace: true })
            },
          })
        }
      >
        {t(isOfProject ? 'invitation.accept_project' : 'invitation.accept')}
      </Button>
      {accept.isError && <ErrorState error={accept.error} />}
    </>
  )
}
