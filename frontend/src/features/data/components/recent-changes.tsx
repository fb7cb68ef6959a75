import { ActionIcon, Badge, Button, Group, Loader, Popover, ScrollArea, Stack, Text, Tooltip } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Project } from '../../../lib/api/types'
import { useHasRole } from '../../../lib/session/session'
import { afterMutation } from '../../../lib/after-mutation'
import { notifyDone } from '../../../ui/notify'
import { RelativeTime } from '../../../ui/relative-time'
import { useRecentChanges, useUndoItemChanges } from '../api/change-items'

const UNDOABLE = new Set(['done', 'stopped'])

/** The last things done to many pictures, each with its undo. */
export function RecentChanges({ project }: { project: Project }) {
  const { t } = useTranslation('data')
  const [isOpen, setOpen] = useState(false)
  const canLabel = useHasRole('labeller')
  const canDelete = useHasRole('engineer')
  const changes = useRecentChanges(project.dataset, isOpen)
  const undo = useUndoItemChanges(project.id, project.dataset)
  const shown = changes.data?.items ?? []
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={380} shadow="md">
      <Popover.Target>
        <Tooltip label={t('recent.title')}>
          <ActionIcon variant="default" size="md" aria-label={t('recent.title')} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <IconHistory size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" fw={600} mb="xs">
          {t('recent.title')}
        </Text>
        {changes.isPending ? (
          <Loader size="sm" />
        ) : changes.isLoadingError ? (
          <Text size="sm" c="red">
            {t('recent.failed')}
          </Text>
        ) : shown.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('recent.none')}
          </Text>
        ) : (
          <ScrollArea.Autosize mah={320}>
            <Stack gap="xs">
              {shown.map((change) => (
                <Group key={change.id} justify="space-between" wrap="nowrap" gap="xs">
                  <div>
                    <Text size="sm">{t(`bulk.${change.kind}`, { count: change.num_items })}</Text>
                    <Text size="xs" c="dimmed">
                      {change.by_name} · <RelativeTime value={change.created_at} />
                    </Text>
                  </div>
                  {UNDOABLE.has(change.state) ? (
                    <Button
                      size="compact-xs"
                      variant="default"
                      disabled={undo.isPending || change.num_items === 0 || !(change.kind === 'label' ? canLabel : canDelete)}
                      onClick={() => afterMutation(undo.mutateAsync([change.id]), () => notifyDone(t('bulk.undone')))}
                    >
                      {t('common:undo')}
                    </Button>
                  ) : (
                    <Badge variant="light" color="gray">
                      {t(`recent.${change.state}`)}
                    </Badge>
                  )}
                </Group>
              ))}
            </Stack>
          </ScrollArea.Autosize>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
