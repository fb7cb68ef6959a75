import { Button, Group, Paper, Select, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { ProjectAccess, Role } from '../../../lib/api/types'
import { personText } from '../../../lib/person-text'
import { useNamePerson } from '../../../lib/project/access'
import { PROJECT_ROLES, RoleSelect } from '../../../ui/role-select'

interface AddPersonProps {
  project: string
  access: ProjectAccess
}

/** Names a member of the workspace in the project. */
export function AddPerson({ project, access }: AddPersonProps) {
  const { t } = useTranslation('access')
  const add = useNamePerson(project)
  const [user, setUser] = useState<string | null>(null)
  const [role, setRole] = useState<Role>('labeller')
  const others = access.people.filter(({ named_role, workspace_role }) => !named_role && workspace_role !== 'owner')
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (user) add.mutate({ user_id: user, role }, { onSuccess: () => setUser(null) })
  }
  return (
    <Paper component="form" onSubmit={submit}>
      <Stack gap="sm">
        <Title order={2}>{t('add.title')}</Title>
        <Group align="flex-end" wrap="wrap">
          <Select
            style={{ flex: 1, minWidth: 220 }}
            searchable
            label={t('add.person')}
            placeholder={others.length ? undefined : t('add.nobody')}
            disabled={others.length === 0}
            data={others.map((person) => ({ value: person.user, label: personText(person) }))}
            value={user}
            onChange={setUser}
          />
          <RoleSelect label={t('role')} w={160} roles={PROJECT_ROLES} value={role} onChange={setRole} />
          <Button type="submit" size="sm" disabled={!user} loading={add.isPending}>
            {t('add.do')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
