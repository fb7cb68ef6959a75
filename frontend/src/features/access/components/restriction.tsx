import { Paper, Stack, Switch, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import type { ProjectAccess } from '../../../lib/api/types'
import { useRestrictProject } from '../../../lib/project/access'
import { personText } from '../../../lib/person-text'
import { confirm } from '../../../ui/confirm'
import { leavers } from '../model/leavers'

interface RestrictionProps {
  project: string
  access: ProjectAccess
}

/** Whether the project is open to the workspace; whoever restricts it is told first who will not see it any more. */
export function Restriction({ project, access }: RestrictionProps) {
  const { t } = useTranslation('access')
  const restrict = useRestrictProject(project)
  const losing = leavers(access)
  const ask = () =>
    confirm({
      title: t('restrict.ask'),
      children: losing.length
        ? t('restrict.losing', { count: losing.length, names: losing.map(personText).join(t('restrict.comma')) })
        : t('restrict.losing_nobody'),
      confirm: t('restrict.do'),
      isDangerous: losing.length > 0,
      onConfirm: () => restrict.mutate(true),
    })
  return (
    <Paper>
      <Stack gap="xs">
        <Title order={2}>{t(access.is_restricted ? 'restrict.is' : 'restrict.is_not')}</Title>
        <Text size="sm" c="dimmed">
          {t(access.is_restricted ? 'restrict.is_text' : 'restrict.is_not_text')}
        </Text>
        {access.can_manage && (
          <Switch
            label={t('restrict.switch')}
            checked={access.is_restricted}
            disabled={restrict.isPending}
            onChange={() => (access.is_restricted ? restrict.mutate(false) : ask())}
          />
        )}
      </Stack>
    </Paper>
  )
}
