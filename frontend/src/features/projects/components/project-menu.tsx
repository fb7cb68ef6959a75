import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots, IconLock, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { afterMutation } from '../../../lib/after-mutation'
import { notifyUndo } from '../../../ui/undo-notice'
import { useDeleteProject, useRestoreProject } from '../api/get-projects'
import { RenameDialog } from './rename-dialog'

/** What can be done with a project from outside. */
export function ProjectMenu({ project }: { project: Project }) {
  const { t } = useTranslation('projects')
  const [isRenaming, renaming] = useDisclosure()
  const remove = useDeleteProject()
  const restore = useRestoreProject()
  const removed = () => notifyUndo(t('deleted.done', { name: project.name }), () => restore.mutate(project.id))
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('menu', { name: project.name })} loading={remove.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={renaming.open}>
            {t('rename.open')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLock size={14} />} component={Link} to={`/projects/${project.id}/access`}>
            {t('access')}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={14} />}
            onClick={() => afterMutation(remove.mutateAsync(project.id), removed)}
          >
            {t('delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRenaming && <RenameDialog project={project} onClose={renaming.close} />}
    </>
  )
}
