import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconGitBranch, IconGitCompare, IconRestore } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useHasRole } from '../../../lib/session/session'
import { WORKING } from '../api/diff'
import type { Version } from '../api/types'
import { BranchDialog } from './branch-dialog'
import { RestoreDialog } from './restore-dialog'

/** What can be done with one version, beside looking at it. */
export function VersionMenu({ project, version }: { project: string; version: Version }) {
  const { t } = useTranslation('versions')
  const canWrite = useHasRole('engineer')
  const [dialog, setDialog] = useState<'restore' | 'branch' | null>(null)
  const compare = `/projects/${project}/versions/compare`
  return (
    // Rows of the list open the version: what happens in the menu is not meant for them.
    <div onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()} role="presentation">
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('menu.title', { number: version.number })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={`${compare}?before=${version.id}&after=${WORKING}`} leftSection={<IconGitCompare size={14} />}>
            {t('menu.compare_now')}
          </Menu.Item>
          {version.parent && (
            <Menu.Item
              component={Link}
              to={`${compare}?before=${version.parent}&after=${version.id}`}
              leftSection={<IconGitCompare size={14} />}
            >
              {t('menu.compare_parent')}
            </Menu.Item>
          )}
          {canWrite && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconRestore size={14} />} onClick={() => setDialog('restore')}>
                {t('menu.restore')}
              </Menu.Item>
              <Menu.Item leftSection={<IconGitBranch size={14} />} onClick={() => setDialog('branch')}>
                {t('menu.branch')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'restore' && <RestoreDialog project={project} version={version} onClose={() => setDialog(null)} />}
      {dialog === 'branch' && <BranchDialog project={project} version={version} onClose={() => setDialog(null)} />}
    </div>
  )
}
