import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { LoadMore } from '../../../ui/load-more'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useDeletedProjects, useRestoreProject } from '../api/get-projects'

interface DeletedProjectsProps {
  workspace: string
  canRestore: boolean
  onClose: () => void
}

/** Deleted projects, each with the way back. */
export function DeletedProjects({ workspace, canRestore, onClose }: DeletedProjectsProps) {
  const { t } = useTranslation('projects')
  const deleted = useDeletedProjects(workspace)
  const restore = useRestoreProject()
  const rows = deleted.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Modal opened onClose={onClose} title={t('deleted.title')} size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {t('deleted.text')}
        </Text>
        {deleted.isPending && <LoadingState rows={3} height={40} />}
        {deleted.isLoadingError && <ErrorState error={deleted.error} onRetry={() => void deleted.refetch()} />}
        {deleted.data && rows.length === 0 && <Text size="sm">{t('deleted.none')}</Text>}
        {rows.map((project) => (
          <Group key={project.id} justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text fw={600} truncate>
                {project.name}
              </Text>
              <Text size="xs" c="dimmed">
                {t('labelled', { annotated: project.counts.annotated, items: project.counts.items })} ·{' '}
                {project.deleted_at && <RelativeTime value={project.deleted_at} />}
              </Text>
            </div>
            {canRestore && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconRestore size={14} />}
                loading={restore.isPending && restore.variables === project.id}
                onClick={() => restore.mutate(project.id)}
                style={{ flexShrink: 0 }}
              >
                {t('deleted.restore')}
              </Button>
            )}
          </Group>
        ))}
        <LoadMore query={deleted} />
      </Stack>
    </Modal>
  )
}
