import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState } from '../../../ui/empty-state'
import { Progress } from '../../../ui/progress'
import { useDrawMap, type MapData } from '../api/get-map'

/** The fewest pictures of a map; the same limit as on the server. */
const LEAST = 12

/** Why there is no map yet, and what happens next. */
export function Waiting({ data, project, canDraw }: { data: MapData; project: string; canDraw: boolean }) {
  const { t } = useTranslation('map')
  const draw = useDrawMap(project)
  if (data.num_items < LEAST) {
    const upload = (
      <Button component={Link} to={`/projects/${project}/data`} mt="xs">
        {t('few.action')}
      </Button>
    )
    return (
      <EmptyState drawing="map" title={t('few.title')} action={upload}>
        {t('few.text', { least: LEAST, count: data.num_items })}
      </EmptyState>
    )
  }
  if (data.job) {
    return (
      <EmptyState drawing="map" title={t('drawing')} action={null}>
        <Progress fraction={data.job.progress_fraction} remainingSeconds={data.job.remaining_s} />
      </EmptyState>
    )
  }
  const isLooking = data.features_done < data.num_items
  return (
    <EmptyState drawing="map" action={null} title={t(isLooking ? 'looking' : 'soon')}>
      <Stack gap="xs" w={280}>
        <Progress fraction={data.features_done / Math.max(1, data.num_items)} isMoving={isLooking} />
        <Text size="sm" c="dimmed">
          {t('looked_at', { done: data.features_done, total: data.num_items })}
        </Text>
        {canDraw && data.features_done >= LEAST && (
          <Button variant="light" loading={draw.isPending} onClick={() => draw.mutate()}>
            {t('draw_now')}
          </Button>
        )}
      </Stack>
    </EmptyState>
  )
}
