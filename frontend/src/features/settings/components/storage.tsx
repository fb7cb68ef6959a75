import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { seriesColor } from '../../../charts/palette/palette'
import { useScheme } from '../../../charts/palette/use-scheme'
import { StackedBars } from '../../../charts/stacked-bars/stacked-bars'
import { formatBytes, formatPercent } from '../../../lib/format'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import { type Operation, useOperation } from '../api/workspace'

/** In the order of their colours. */
const PARTS = ['data', 'predictions', 'galleries', 'templates'] as const

/** Which projects take the storage of a workspace, and with what. */
export function Storage({ workspace }: { workspace: string }) {
  const { t } = useTranslation('settings')
  const operation = useOperation(workspace)
  return (
    <Section title={t('storage.title')} help={t('storage.help')}>
      {operation.isPending && <LoadingState rows={3} />}
      {operation.isLoadingError && <ErrorState error={operation.error} onRetry={() => void operation.refetch()} />}
      {operation.data?.projects.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('storage.empty')}
        </Text>
      )}
      {operation.data && operation.data.projects.length > 0 && <Bars projects={operation.data.projects} />}
    </Section>
  )
}

function Bars({ projects }: { projects: Operation['projects'] }) {
  const { t } = useTranslation('settings')
  const scheme = useScheme()
  const total = projects.reduce((sum, one) => sum + one.storage_bytes, 0)
  return (
    <StackedBars
      format={formatBytes}
      rows={projects.map((one) => ({
        key: one.project,
        title: one.is_deleted ? (
          <Text span size="sm" c="dimmed">
            {t('storage.deleted', { name: one.name })}
          </Text>
        ) : (
          <Anchor component={Link} to={`/projects/${one.project}`} size="sm">
            {one.name}
          </Anchor>
        ),
        parts: PARTS.map((part, index) => ({
          key: part,
          title: t(`storage.parts.${part}`),
          count: one.parts[part] ?? 0,
          color: seriesColor(index, scheme),
        })),
        value: t('storage.of_all', {
          size: formatBytes(one.storage_bytes),
          share: formatPercent(total > 0 ? one.storage_bytes / total : 0),
          items: one.num_items,
        }),
      }))}
    />
  )
}
