import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'

import { formatEstimate } from '../../../charts/format/format'
import { useModelName } from '../../../lib/project/task'
import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { ProblemList } from '../../../ui/problem-list'
import { useDistill, useDistillPlan } from '../api/distill'
import type { Artefact } from '../api/types'

interface DistillDialogProps {
  artefact: Artefact
  onClose: () => void
}

/** Says what will learn from this model and how long that takes; one press starts it. */
export function DistillDialog({ artefact, onClose }: DistillDialogProps) {
  const { t } = useTranslation('models')
  const navigate = useNavigate()
  const modelName = useModelName()
  const plan = useDistillPlan(artefact)
  const distill = useDistill(artefact)
  const blocking = plan.data?.blocking ?? []
  const start = () =>
    afterMutation(distill.mutateAsync(t('distill.study_name', { number: artefact.number })), (study) => {
      void navigate(`/projects/${artefact.project}/studies/${study.id}`)
    })
  return (
    <Modal opened onClose={onClose} title={t('distill.title', { name: t('name', { number: artefact.number }) })}>
      <Stack>
        <Text size="sm">{t('distill.text')}</Text>
        {plan.isPending && <LoadingState rows={3} height={20} />}
        {plan.isError && <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />}
        {plan.data && (
          <>
            <ProblemList isBlocking title={t('distill.blocked')} problems={blocking} />
            <List size="sm" spacing={2}>
              {plan.data.trials.map((trial) => (
                <List.Item key={trial.family}>{modelName(trial.family, trial.size)}</List.Item>
              ))}
            </List>
            <Text size="sm" c="dimmed">
              {t('distill.time', { time: formatEstimate(plan.data.estimated_s) })}
            </Text>
          </>
        )}
        {distill.isError && <ErrorState error={distill.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button loading={distill.isPending} disabled={!plan.isSuccess || blocking.length > 0} onClick={start} data-autofocus>
            {t('distill.submit')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
