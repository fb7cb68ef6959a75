import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'

import { formatLatency } from '../../../charts/format/format'
import { useProject, useProjectId } from '../../../lib/project/project'
import { useHasRole } from '../../../lib/session/session'
import type { Column } from '../../../ui/data-table'
import { EmptyState } from '../../../ui/empty-state'
import { ListPage } from '../../../ui/list-page'
import { RelativeTime } from '../../../ui/relative-time'
import { StateBadge } from '../../../ui/state-badge'
import { useDeployments } from '../api/get-deployments'
import type { Deployment } from '../api/types'
import { NewDeploymentDialog } from '../components/new-deployment-dialog'

/** All deployments of the project. `?artefact=` opens the dialog with that model, `?artefact=` alone with none chosen. */
export function Component() {
  const { t } = useTranslation('deployments')
  const project = useProjectId()
  const [search, setSearch] = useSearchParams()
  const hasModel = (useProject().data?.counts.artefacts ?? 0) > 0
  const canCreate = useHasRole('engineer')
  const deployments = useDeployments(project)
  const columns = useColumns()
  const artefact = search.get('artefact')
  const create = canCreate && hasModel && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setSearch({ artefact: '' })}>
      {t('create')}
    </Button>
  )
  return (
    <>
      <ListPage
        title={t('title')}
        lead={t('lead')}
        create={create}
        query={deployments}
        columns={columns}
        empty={
          <EmptyState
            drawing="use"
            title={t(hasModel ? 'empty_title' : 'no_model_title')}
            action={
              hasModel ? (
                create
              ) : (
                <Button component={Link} to={`/projects/${project}/studies`}>
                  {t('to_studies')}
                </Button>
              )
            }
          >
            {t(hasModel ? 'empty_text' : 'no_model_text')}
          </EmptyState>
        }
      />
      {artefact !== null && <NewDeploymentDialog project={project} artefact={artefact} onClose={() => setSearch({}, { replace: true })} />}
    </>
  )
}

function useColumns(): Column<Deployment>[] {
  const { t } = useTranslation('deployments')
  return [
    {
      key: 'name',
      title: t('column.name'),
      render: (deployment) => (
        <>
          <b>{deployment.name}</b>
          <Text size="xs" c="dimmed" ff="monospace">
            {deployment.slug}
          </Text>
        </>
      ),
    },
    {
      key: 'state',
      title: t('column.state'),
      width: 130,
      render: (deployment) => <StateBadge state={deployment.state} isMoving={deployment.state === 'starting'} />,
    },
    { key: 'calls', title: t('column.calls'), width: 100, align: 'right', render: (deployment) => deployment.metrics.calls },
    {
      key: 'latency',
      title: t('column.latency'),
      width: 170,
      align: 'right',
      render: ({ metrics }) => `${formatLatency(metrics.p50_ms)} / ${formatLatency(metrics.p95_ms)}`,
    },
    {
      key: 'last',
      title: t('column.last'),
      width: 150,
      render: ({ metrics }) => (
        <Text size="sm" c="dimmed">
          {metrics.last_call_at ? <RelativeTime value={metrics.last_call_at} /> : t('metrics.never')}
        </Text>
      ),
    },
  ]
}
