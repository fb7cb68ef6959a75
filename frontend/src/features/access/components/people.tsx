import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import type { ProjectAccess } from '../../../lib/api/types'
import { personText } from '../../../lib/person-text'
import { useNamePerson, useRemovePerson } from '../../../lib/project/access'
import { confirm } from '../../../ui/confirm'
import { type Column, DataTable } from '../../../ui/data-table'
import { PROJECT_ROLES, RoleSelect } from '../../../ui/role-select'

type Person = ProjectAccess['people'][number]

interface PeopleProps {
  project: string
  access: ProjectAccess
}

/** The people who see the project, each with the role and where it comes from. */
export function People({ project, access }: PeopleProps) {
  const { t } = useTranslation('access')
  const change = useNamePerson(project)
  const remove = useRemovePerson(project)
  const ask = (person: Person) => {
    const stays = !access.is_restricted && person.workspace_role !== 'guest'
    confirm({
      title: t('remove.title'),
      children: t(stays ? 'remove.stays' : 'remove.goes', {
        name: personText(person),
        role: t(`roles:${person.workspace_role}.name`),
      }),
      confirm: t('remove.title'),
      isDangerous: !stays,
      onConfirm: () => remove.mutate(person.user),
    })
  }
  const columns: Column<Person>[] = [
    {
      key: 'name',
      title: t('person'),
      render: (person) => (
        <>
          <Text size="sm" fw={500}>
            {person.name}
          </Text>
          <Text size="xs" c="dimmed">
            {person.email}
          </Text>
        </>
      ),
    },
    {
      key: 'role',
      title: t('role'),
      width: 180,
      render: (person) =>
        person.role &&
        (access.can_manage && person.workspace_role !== 'owner' ? (
          <RoleSelect
            size="xs"
            aria-label={t('role_of', { name: personText(person) })}
            roles={PROJECT_ROLES}
            value={person.role}
            onChange={(role) => change.mutate({ user_id: person.user, role })}
          />
        ) : (
          t(`roles:${person.role}.name`)
        )),
    },
    {
      key: 'from',
      title: t('from.title'),
      width: 220,
      render: (person) => (person.workspace_role === 'owner' ? t('from.owner') : t(person.named_role ? 'from.named' : 'from.workspace')),
    },
    {
      key: 'remove',
      title: '',
      width: 48,
      render: (person) =>
        access.can_manage &&
        person.named_role &&
        person.workspace_role !== 'owner' && (
          <ActionIcon aria-label={t('remove.of', { name: personText(person) })} onClick={() => ask(person)}>
            <IconX size={16} />
          </ActionIcon>
        ),
    },
  ]
  const seeing = access.people.filter(({ role }) => role)
  return <DataTable caption={t('people')} columns={columns} rows={seeing} rowKey={(person) => person.user} />
}
