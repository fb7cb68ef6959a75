import { Badge, Button, Checkbox, Group, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatLatency, formatMetric } from '../../../charts/format/format'
import { formatBytes } from '../../../lib/format'
import { listedMetric } from '../../../lib/listed-metric'
import { useLocalText } from '../../../lib/local-text'
import { useProjectId } from '../../../lib/project/project'
import { useBestModels } from '../../../lib/project/best-models'
import { useMetrics, useModelName } from '../../../lib/project/task'
import type { Column } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ListPage } from '../../../ui/list-page'
import { MetricBar } from '../../../ui/metric-bar'
import { RelativeTime } from '../../../ui/relative-time'
import { Explained } from '../../../ui/explained'
import { StateBadge } from '../../../ui/state-badge'
import { type KeptSort, useSort } from '../../../ui/use-sort'
import { useArtefacts } from '../api/get-artefacts'
import type { Artefact } from '../api/types'
import { useCompressedName } from '../components/use-compressed-name'

/** All models of the project, the best of the newest version first; those of one version can be selected and compared. */
export function Component() {
  const { t } = useTranslation('models')
  const project = useProjectId()
  const artefacts = useArtefacts(project)
  const listed = artefacts.data?.pages.flatMap((page) => page.items) ?? []
  const [selected, setSelected] = useState<readonly string[]>([])
  const columns = useColumns(listed, selected, setSelected)
  const [base, ...others] = selected
  const keptSort = useKeptSort()
  const [sort] = useSort(keptSort)
  const isByMetric = sort?.column === keptSort.first.column && listed.length > 1
  const text = useLocalText()
  const objective = useMetrics()[0]
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      actions={
        base !== undefined &&
        others.length > 0 && (
          <Button
            component={Link}
            to={`/projects/${project}/models/compare?left=${base}&right=${others.join(',')}`}
            leftSection={<IconArrowsDiff size={16} />}
          >
            {t('comparison.selected', { count: selected.length })}
          </Button>
        )
      }
      query={artefacts}
      columns={columns}
      keptSort={keptSort}
      above={
        isByMetric && (
          <Text size="xs" c="dimmed" mb={4}>
            {t('order', { metric: objective ? text(objective.title) : '' })}
          </Text>
        )
      }
      empty={
        <EmptyState
          drawing="model"
          title={t('empty_title')}
          action={
            <Button component={Link} to={`/projects/${project}/studies`}>
              {t('to_studies')}
            </Button>
          }
        >
          {t('empty_text')}
        </EmptyState>
      }
    />
  )
}

/** By the main metric, the best first. */
function useKeptSort(): KeptSort {
  const isDescending = useMetrics()[0]?.is_higher_better ?? true
  return { name: 'models', first: { column: 'metric', isDescending } }
}

function useColumns(
  listed: readonly Artefact[],
  selected: readonly string[],
  onSelect: (selected: readonly string[]) => void,
): Column<Artefact>[] {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const modelName = useModelName()
  const compressedName = useCompressedName()
  const objective = useMetrics()[0]
  const project = useProjectId()
  const { best = [], first } = useBestModels(project).data ?? {}
  const version = listed.find(({ id }) => id === selected[0])?.version
  return [
    {
      key: 'select',
      title: <VisuallyHidden>{t('compare')}</VisuallyHidden>,
      width: 36,
      render: ({ id, number, version: own }) => {
        const isSelected = selected.includes(id)
        const isOther = version !== undefined && own !== version
        return (
          <Tooltip label={t('comparison.other_version')} disabled={!isOther}>
            <Checkbox
              size="xs"
              aria-label={t('comparison.select', { name: t('name', { number }) })}
              checked={isSelected}
              disabled={isOther}
              onClick={(event) => event.stopPropagation()}
              onChange={() => onSelect(isSelected ? selected.filter((each) => each !== id) : [...selected, id])}
            />
          </Tooltip>
        )
      },
    },
    {
      key: 'name',
      title: t('column.name'),
      sortValue: ({ number }) => number,
      isDescendingFirst: true,
      render: (artefact) => (
        <>
          <Group gap={6} wrap="nowrap">
            <b>{t('name', { number: artefact.number })}</b>
            {best.includes(artefact.id) && (
              <Tooltip label={t('best_help', { number: artefact.version_number })}>
                <Badge size="sm" variant="light" tt="none">
                  {t('best')}
                </Badge>
              </Tooltip>
            )}
            {artefact.id === first && !best.includes(first) && listed.length > 1 && (
              <Tooltip label={t('first_help')} multiline maw={320}>
                <Badge size="sm" variant="light" color="gray" tt="none">
                  {t('first')}
                </Badge>
              </Tooltip>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {compressedName(modelName(artefact.family, artefact.size, artefact.num_members), artefact)}
          </Text>
        </>
      ),
    },
    {
      key: 'stage',
      title: <Explained help={t('column.stage_help')}>{t('column.stage')}</Explained>,
      width: 120,
      render: (artefact) => (artefact.stage === 'none' ? '–' : <StateBadge state={artefact.stage} />),
    },
    {
      key: 'metric',
      title: objective ? text(objective.title) : '',
      sortValue: (artefact) => listedMetric(artefact, objective?.name ?? '')?.value ?? null,
      // The marked one leads its version: others with a higher value are not known to be better.
      sortGroup: ({ id, version_number }) => version_number + (best.includes(id) || id === first ? 0.5 : 0),
      isDescendingFirst: objective?.is_higher_better ?? true,
      width: 210,
      render: (artefact) => {
        const listed = listedMetric(artefact, objective?.name ?? '')
        return (
          listed && (
            <MetricBar {...listed} hasBar={objective?.unit === 'fraction'} format={(value) => formatMetric(objective?.name ?? '', value)} />
          )
        )
      },
    },
    {
      key: 'latency',
      title: t('column.latency'),
      width: 100,
      align: 'right',
      sortValue: (artefact) => artefact.latency_ms,
      render: (artefact) => formatLatency(artefact.latency_ms),
    },
    {
      key: 'size',
      title: t('column.size'),
      width: 100,
      align: 'right',
      sortValue: (artefact) => artefact.model_bytes,
      render: (artefact) => formatBytes(artefact.model_bytes),
    },
    {
      key: 'version',
      title: t('column.version'),
      sortValue: (artefact) => artefact.version_number,
      isDescendingFirst: true,
      width: 100,
      align: 'right',
      render: (artefact) => artefact.version_number,
    },
    {
      key: 'made',
      title: t('column.made'),
      sortValue: (artefact) => artefact.created_at,
      isDescendingFirst: true,
      width: 140,
      render: (artefact) => (
        <Text size="sm" c="dimmed">
          <RelativeTime value={artefact.created_at} />
        </Text>
      ),
    },
  ]
}
