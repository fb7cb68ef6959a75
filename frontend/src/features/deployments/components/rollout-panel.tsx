import { Alert, Button, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { afterMutation } from '../../../lib/after-mutation'
import { useHasRole } from '../../../lib/session/session'
import { confirm } from '../../../ui/confirm'
import { notifyDone } from '../../../ui/notify'
import { RelativeTime } from '../../../ui/relative-time'
import { useStopRollout } from '../api/traffic'
import type { Deployment, Rollout } from '../api/types'
import { useModelLabel } from './model-label'

/** A rollout that is running: how far it is, and how near to a decision. */
export function RolloutPanel({ deployment, rollout }: { deployment: Deployment; rollout: Rollout }) {
  const { t } = useTranslation('deployments')
  const nameOf = useModelLabel(deployment.project)
  const canStop = useHasRole('engineer')
  const stop = useStopRollout(deployment.id)
  const ask = () =>
    confirm({
      title: t('rollout.stop_title'),
      children: t('rollout.stop_text', { name: nameOf(rollout.baseline) }),
      confirm: t('rollout.stop'),
      onConfirm: () => afterMutation(stop.mutateAsync(), () => notifyDone(t('rollout.stopped'))),
    })
  return (
    <Alert
      color="accent"
      title={
        <Group justify="space-between" gap="sm">
          <span>
            {t('rollout.running', { name: nameOf(rollout.candidate), share: rollout.share })} · <RelativeTime value={rollout.created_at} />
          </span>
          {canStop && (
            <Button size="xs" variant="default" loading={stop.isPending} onClick={ask}>
              {t('rollout.stop')}
            </Button>
          )}
        </Group>
      }
      styles={{ label: { width: '100%' } }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('rollout.plan', { steps: rollout.steps.join(', '), count: rollout.step_minutes })}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <EvidenceBar label={t('rollout.evidence_better')} value={rollout.evidence_better} color="teal" />
          <EvidenceBar label={t('rollout.evidence_worse')} value={rollout.evidence_worse} color="red" />
        </SimpleGrid>
        <Text size="sm">{t(`rollout.judged.${rollout.measure}`, judgedOf(rollout))}</Text>
      </Stack>
    </Alert>
  )
}

/** Numbers of a sentence about what was taken into account. */
export function judgedOf({ baseline_judged, candidate_judged }: Rollout) {
  return {
    candidate: formatFraction(candidate_judged.loss),
    candidate_calls: candidate_judged.calls,
    baseline: formatFraction(baseline_judged.loss),
    baseline_calls: baseline_judged.calls,
  }
}

function EvidenceBar({ label, value, color }: { label: string; value: number; color: string }) {
  return (
    <div>
      <Group justify="space-between">
        <Text size="xs">{label}</Text>
        <Text size="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatFraction(value, 0)}
        </Text>
      </Group>
      <Progress value={value * 100} color={color} aria-label={label} />
    </div>
  )
}
