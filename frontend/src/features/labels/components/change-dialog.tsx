import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { type Plan, usePreview, useStartChange } from '../api/label-changes'
import { PreviewPanel } from './preview'

interface ChangeDialogProps {
  project: string
  title: string
  action: string
  plan: Plan | null
  children: ReactNode
  onDone: (change: string) => void
  onClose: () => void
}

/** A form for a change of labels, with what it would do below. */
export function ChangeDialog({ project, title, action, plan, children, onDone, onClose }: ChangeDialogProps) {
  const { t } = useTranslation('common')
  const start = useStartChange(project)
  const preview = usePreview(project, plan)
  // A rule that fits nothing would leave an empty label behind.
  const isIdle = plan?.kind === 'split' && preview.data?.num_items === 0
  const run = () => plan && afterMutation(start.mutateAsync(plan, { onSuccess: onClose }), ({ change }) => onDone(change.id))
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack>
        {children}
        <PreviewPanel project={project} plan={plan} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button disabled={!preview.isSuccess || isIdle} loading={start.isPending} onClick={run}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
