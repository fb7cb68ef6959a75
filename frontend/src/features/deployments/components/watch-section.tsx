import { Group, SegmentedControl, Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import { RANGES, type TimelineFilter, useTimeline } from '../api/watch'
import type { Deployment, Timeline } from '../api/types'
import { DriftPanel } from './drift-panel'
import { InputDriftPanel } from './input-drift-panel'
import { useModelLabel } from './model-label'
import { TimelineCharts } from './timeline-charts'

/** Whether the deployment does well: what its calls were like over time, and whether its answers changed. */
export function WatchSection({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const [filter, setFilter] = useState<TimelineFilter>({ range: '24h', key: null, artefact: null, hasTryOuts: false })
  const timeline = useTimeline(deployment.id, filter)
  return (
    <Section title={t('watch.title')} help={t('watch.help')}>
      <Stack>
        <DriftPanel deployment={deployment} />
        <InputDriftPanel deployment={deployment} />
        <SegmentedControl
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          aria-label={t('watch.range.title')}
          value={filter.range}
          onChange={(value) => setFilter({ ...filter, range: value as TimelineFilter['range'] })}
          data={RANGES.map((value) => ({ value, label: t(`watch.range.${value}`) }))}
        />
        {timeline.isPending && <LoadingState rows={2} height={180} />}
        {timeline.isLoadingError && <ErrorState error={timeline.error} onRetry={() => void timeline.refetch()} />}
        {timeline.data && (
          <>
            <Filters deployment={deployment} timeline={timeline.data} filter={filter} onChange={setFilter} />
            <Charts timeline={timeline.data} />
          </>
        )}
      </Stack>
    </Section>
  )
}

function Charts({ timeline }: { timeline: Timeline }) {
  const { t } = useTranslation('deployments')
  if (timeline.periods.some((period) => period.calls > 0)) return <TimelineCharts timeline={timeline} />
  return (
    <Text size="sm" c="dimmed" ta="center" py="lg">
      {t(timeline.try_outs > 0 ? 'watch.empty_try_outs' : 'watch.empty')}
    </Text>
  )
}

interface FiltersProps {
  deployment: Deployment
  timeline: Timeline
  filter: TimelineFilter
  onChange: (filter: TimelineFilter) => void
}

/** Only where there is something to choose from. */
function Filters({ deployment, timeline, filter, onChange }: FiltersProps) {
  const { t } = useTranslation('deployments')
  const modelLabel = useModelLabel(deployment.project)
  const keyName = (key: string, name: string | null) => name ?? t(key ? 'watch.key_gone' : 'watch.no_key')
  const keys = timeline.keys.map(({ key, name, calls }) => ({ value: `key:${key}`, label: `${keyName(key, name)} · ${calls}` }))
  const models = timeline.models.map(({ artefact, calls }) => ({ value: artefact, label: `${modelLabel(artefact)} · ${calls}` }))
  const hasKeys = keys.length > 1 || filter.key !== null
  const hasModels = models.length > 1 || filter.artefact !== null
  const hasTryOuts = timeline.try_outs > 0 || filter.hasTryOuts
  if (!hasKeys && !hasModels && !hasTryOuts) return null
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      {hasKeys && (
        <Select
          size="xs"
          label={t('watch.key')}
          placeholder={t('watch.all_keys')}
          clearable
          value={filter.key === null ? null : `key:${filter.key}`}
          data={keys}
          onChange={(value) => onChange({ ...filter, key: value === null ? null : value.slice('key:'.length) })}
        />
      )}
      {hasModels && (
        <Select
          size="xs"
          label={t('watch.model')}
          placeholder={t('watch.all_models')}
          clearable
          value={filter.artefact}
          data={models}
          onChange={(artefact) => onChange({ ...filter, artefact })}
        />
      )}
      {hasTryOuts && (
        <Group align="end" pb={6}>
          <Switch
            size="xs"
            label={t('watch.try_outs', { count: timeline.try_outs })}
            checked={filter.hasTryOuts}
            onChange={(event) => onChange({ ...filter, hasTryOuts: event.currentTarget.checked })}
          />
        </Group>
      )}
    </SimpleGrid>
  )
}
