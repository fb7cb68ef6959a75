import { Anchor, Badge, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'

import { formatMetric } from '../../../charts/format/format'
import { ValueBars } from '../../../charts/value-bars/value-bars'
import type { Project } from '../../../lib/api/types'
import { useFacets } from '../../../lib/dataset/facets'
import { formatNumber } from '../../../lib/format'
import { listedMetric } from '../../../lib/listed-metric'
import { useLocalText } from '../../../lib/local-text'
import { useBestModels } from '../../../lib/project/best-models'
import { useModelChoices } from '../../../lib/project/choices'
import { useMetrics, useModelName } from '../../../lib/project/task'
import { DataTable } from '../../../ui/data-table'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { MetricBar } from '../../../ui/metric-bar'
import { Section } from '../../../ui/section'
import { StateBadge } from '../../../ui/state-badge'
import { useLatestDeployments } from '../api/get-latest'

const LABELS_SHOWN = 10
const MODELS_SHOWN = 4

/** Where the project stands: its labels, its models with the best first, and what answers. Rooms that hold nothing yet are left out. */
export function Glance({ project }: { project: Project }) {
  const { annotated, artefacts, deployments } = project.counts
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
      {annotated > 0 && project.label_set.labels.length > 0 && <Labels project={project} />}
      {artefacts > 0 && (
        <Stack gap="lg">
          <Models project={project.id} />
          {deployments > 0 && <Deployments project={project.id} />}
        </Stack>
      )}
    </SimpleGrid>
  )
}

function Models({ project }: { project: string }) {
  const { t } = useTranslation('overview')
  const { t: word } = useTranslation('models')
  const text = useLocalText()
  const navigate = useNavigate()
  const modelName = useModelName()
  const objective = useMetrics()[0]
  const query = useModelChoices(project)
  const found = useBestModels(project)
  const models = query.data &&
    found.data && {
      ...found.data,
      listed: [...query.data].sort((a, b) => Number(b.id === found.data.first) - Number(a.id === found.data.first)),
    }
  const isFailed = query.isLoadingError || found.isLoadingError
  return (
    <Latest
      title={t('models')}
      help={t('models_help')}
      to="models"
      query={{ ...(query.isLoadingError ? query : found), data: models, isPending: !models && !isFailed, isLoadingError: isFailed }}
    >
      {({ listed, best, first }) => (
        <DataTable
          caption={t('models')}
          rows={listed.slice(0, MODELS_SHOWN)}
          rowKey={(model) => model.id}
          onRowClick={(model) => void navigate(`models/${model.id}`)}
          columns={[
            {
              key: 'name',
              title: word('column.name'),
              render: (model) => (
                <Named name={word('name', { number: model.number })} detail={modelName(model.family, model.size, model.num_members)}>
                  {best.includes(model.id) && model.id === first && (
                    <Badge color="teal" size="sm">
                      {t('best')}
                    </Badge>
                  )}
                </Named>
              ),
            },
            {
              key: 'metric',
              title: objective ? text(objective.title) : '',
              width: 210,
              render: (model) => {
                const listed = listedMetric(model, objective?.name ?? '')
                const format = (value: number) => formatMetric(objective?.name ?? '', value)
                return listed && <MetricBar {...listed} hasBar={objective?.unit === 'fraction'} format={format} />
              },
            },
          ]}
        />
      )}
    </Latest>
  )
}

function Deployments({ project }: { project: string }) {
  const { t } = useTranslation('overview')
  const { t: word } = useTranslation('deployments')
  const navigate = useNavigate()
  return (
    <Latest title={t('latest_deployments')} to="deployments" query={useLatestDeployments(project)}>
      {(deployments) => (
        <DataTable
          caption={t('latest_deployments')}
          rows={deployments}
          rowKey={(deployment) => deployment.id}
          onRowClick={(deployment) => void navigate(`deployments/${deployment.id}`)}
          columns={[
            {
              key: 'name',
              title: word('column.name'),
              render: (deployment) => <Named name={deployment.name} detail={deployment.slug} />,
            },
            {
              key: 'state',
              title: word('column.state'),
              width: 120,
              render: ({ state }) => <StateBadge state={state} isMoving={state === 'starting'} />,
            },
            { key: 'calls', title: word('column.calls'), width: 90, align: 'right', render: ({ metrics }) => formatNumber(metrics.calls) },
          ]}
        />
      )}
    </Latest>
  )
}

function Labels({ project }: { project: Project }) {
  const { t } = useTranslation('overview')
  const facets = useFacets(project.dataset)
  const colors = new Map(project.label_set.labels.map(({ name, color }) => [name, color]))
  return (
    <Latest title={t('labels')} help={t('labels_help')} to="data" query={{ ...facets, data: facets.data?.labels }}>
      {(labels) => {
        const sorted = [...labels].sort((a, b) => b.num_items - a.num_items)
        return (
          <>
            <ValueBars
              values={sorted.slice(0, LABELS_SHOWN).map(({ value, num_items }) => ({ value, count: num_items, color: colors.get(value) }))}
              total={project.counts.annotated}
              format={formatNumber}
            />
            {sorted.length > LABELS_SHOWN && (
              <Text size="xs" c="dimmed" mt="xs">
                {t('labels_more', { count: sorted.length - LABELS_SHOWN })}
              </Text>
            )}
          </>
        )
      }}
    </Latest>
  )
}

interface LatestProps<Data> {
  title: string
  help?: string
  to: string
  query: { data: Data | undefined; error: unknown; isPending: boolean; isLoadingError: boolean; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** A box with the beginning of what another page shows whole. */
function Latest<Data>({ title, help, to, query, children }: LatestProps<Data>) {
  const { t } = useTranslation('overview')
  return (
    <Section
      title={title}
      help={help}
      actions={
        <Anchor component={Link} to={to} size="sm" flex="none" aria-label={t('all_of', { title })}>
          {t('all')}
        </Anchor>
      }
    >
      {query.isPending && <LoadingState rows={3} height={36} />}
      {query.isLoadingError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && children(query.data)}
    </Section>
  )
}

function Named({ name, detail, children }: { name: string; detail: string; children?: ReactNode }) {
  return (
    <>
      <b>{name}</b> {children}
      <Text size="xs" c="dimmed">
        {detail}
      </Text>
    </>
  )
}
