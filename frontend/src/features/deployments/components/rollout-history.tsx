import { Badge, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { RelativeTime } from '../../../ui/relative-time'
import type { Rollout } from '../api/types'
import { useModelLabel } from './model-label'
import { judgedOf } from './rollout-panel'

const COLORS = { promoted: 'teal', rolled_back: 'red', stopped: 'gray', running: 'accent' } as const
const SYSTEM = 'system'

/** How earlier rollouts ended, the latest first. */
export function RolloutHistory({ project, rollouts }: { project: string; rollouts: readonly Rollout[] }) {
  const { t } = useTranslation('deployments')
  const nameOf = useModelLabel(project)
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('rollout.history')}
      </Text>
      {rollouts.map((each) => (
        <div key={each.id}>
          <Group gap="xs">
            <Badge color={COLORS[each.state]}>{t(`rollout.state.${each.state}`)}</Badge>
            <Text size="sm">
              {t('rollout.instead', { candidate: nameOf(each.candidate), baseline: nameOf(each.baseline) })}
              {' · '}
              {t(each.ended_by === SYSTEM ? 'rollout.by_itself' : 'rollout.by_person')}
              {each.ended_at && (
                <>
                  {' · '}
                  <RelativeTime value={each.ended_at} />
                </>
              )}
            </Text>
          </Group>
          <Text size="xs" c="dimmed">
            {t(`rollout.judged.${each.measure}`, judgedOf(each))}{' '}
            {t('rollout.went', { shares: each.history.map((change) => `${change.share}%`).join(' → ') })}
          </Text>
        </div>
      ))}
    </Stack>
  )
}
