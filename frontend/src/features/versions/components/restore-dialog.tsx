import { Anchor, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'

import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { useDiff, WORKING } from '../api/diff'
import { useRestoreStep } from '../api/restore'
import type { Version } from '../api/types'

interface RestoreDialogProps {
  project: string
  version: Version
  onClose: () => void
}

/** Says what restoring a version will change before it does. */
export function RestoreDialog({ project, version, onClose }: RestoreDialogProps) {
  const { t } = useTranslation('versions')
  const navigate = useNavigate()
  const diff = useDiff(project, WORKING, version.id)
  const step = useRestoreStep(project)
  const isSame = diff.data && diff.data.num_added + diff.data.num_removed + diff.data.num_changed === 0
  return (
    <Modal opened onClose={onClose} title={t('restore.title', { number: version.number })} size="md">
      <Stack>
        <Text size="sm">{t('restore.text')}</Text>
        {diff.isPending && <LoadingState rows={1} height={72} />}
        {diff.isError && <ErrorState error={diff.error} onRetry={() => void diff.refetch()} />}
        {diff.data && isSame && (
          <Text size="sm" c="dimmed">
            {t('restore.same')}
          </Text>
        )}
        {diff.data && !isSame && (
          <List size="sm">
            {diff.data.num_changed > 0 && <List.Item>{t('restore.changed', { count: diff.data.num_changed })}</List.Item>}
            {diff.data.num_added > 0 && <List.Item>{t('restore.added', { count: diff.data.num_added })}</List.Item>}
            {diff.data.num_removed > 0 && <List.Item>{t('restore.removed', { count: diff.data.num_removed })}</List.Item>}
            <List.Item>
              <Anchor component={Link} size="sm" to={`/projects/${project}/versions/compare?before=${WORKING}&after=${version.id}`}>
                {t('restore.look')}
              </Anchor>
            </List.Item>
          </List>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button
            loading={step.isPending}
            disabled={!diff.isSuccess}
            onClick={() =>
              step.mutate(
                { kind: 'restore', version: version.id },
                {
                  onSuccess: () => {
                    onClose()
                    void navigate(`/projects/${project}/versions`)
                  },
                },
              )
            }
          >
            {t('restore.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
