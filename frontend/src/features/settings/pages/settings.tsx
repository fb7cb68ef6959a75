import { Stack, Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'

import { useHasRole, useMe, useWorkspace } from '../../../lib/session/session'
import { PageHeader } from '../../../ui/page-header'
import { Audit } from '../components/audit'
import { Keys } from '../components/keys'
import { LeaveWorkspace } from '../components/leave-workspace'
import { Members } from '../components/members'
import { Profile } from '../components/profile'
import { Usage } from '../components/usage'
import { Workspace } from '../components/workspace'
import { Security } from '../components/security'

/** The person's own profile, and the workspace's people, keys and history. */
export function Component() {
  const { t } = useTranslation('settings')
  const [search, setSearch] = useSearchParams()
  const me = useMe().data
  const workspace = useWorkspace()
  const isOwner = useHasRole('owner')
  if (!me || !workspace) return null
  const isGuest = workspace.role === 'guest'
  const tabs = ['profile', 'security', ...(isGuest ? [] : ['members']), ...(isOwner ? ['workspace', 'keys', 'usage', 'audit'] : [])]
  return (
    <>
      <PageHeader title={t('title')} subtitle={workspace.name} />
      <Tabs
        value={tabs.find((one) => one === search.get('tab')) ?? 'profile'}
        onChange={(tab) => setSearch({ tab: tab ?? 'profile' }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(`${tab}.title`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="profile">
          <Stack>
            <Profile me={me} />
            {me.workspaces.length > 1 && <LeaveWorkspace workspace={workspace} me={me.id} />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="security">
          <Security />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <Members workspace={workspace.id} me={me.id} isOwner={isOwner} />
        </Tabs.Panel>
        <Tabs.Panel value="workspace">
          <Workspace workspace={workspace} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <Keys workspace={workspace.id} />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <Usage workspace={workspace.id} />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <Audit workspace={workspace.id} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
