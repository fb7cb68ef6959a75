import { Text, Timeline } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { usePersonName } from '../../../lib/session/people'
import { ErrorState } from '../../../ui/error-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useStageChanges } from '../api/get-artefacts'

/** Who moved the model to which stage, and why. */
export function StageHistory({ artefact }: { artefact: string }) {
  const { t } = useTranslation('models')
  const personName = usePersonName()
  const changes = useStageChanges(artefact)
  if (changes.isLoadingError) return <ErrorState error={changes.error} onRetry={() => void changes.refetch()} />
  if (!changes.data?.length) return null
  return (
    <div style={{ marginTop: 24 }}>
      <Text size="sm" fw={600} mb="sm">
        {t('lineage.stages')}
      </Text>
      <Timeline bulletSize={12} lineWidth={2} active={changes.data.length}>
        {changes.data.map((change) => (
          <Timeline.Item key={change.at} title={t(`common:state.${change.after}`)}>
            <Text size="sm">{change.reason}</Text>
            <Text size="xs" c="dimmed">
              {personName(change.by)} <RelativeTime value={change.at} />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </div>
  )
}
