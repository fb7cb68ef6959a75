import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Dag } from '../../../charts/dag/dag'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useLineage } from '../api/get-lineage'
import type { Artefact, LineageNode } from '../api/types'
import { lineageDrawing, nodePath } from '../model/lineage'
import { StageHistory } from './stage-history'

/** Where a model comes from, drawn from left to right, and how it got to its stage. */
export function ModelLineage({ artefact }: { artefact: Artefact }) {
  const { t } = useTranslation('models')
  const lineage = useLineage(artefact.id)
  if (lineage.isPending) return <LoadingState />
  if (lineage.isLoadingError) return <ErrorState error={lineage.error} onRetry={() => void lineage.refetch()} />
  const drawing = lineageDrawing(lineage.data.nodes, lineage.data.edges)
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t('lineage.text')}
      </Text>
      <Dag
        title={t('tab.lineage')}
        nodes={drawing.nodes}
        edges={drawing.edges}
        renderNode={(node) => <LineageCard node={node} project={artefact.project} isSelf={node.id === artefact.id} />}
      />
      <StageHistory artefact={artefact.id} />
    </>
  )
}

function LineageCard({ node, project, isSelf }: { node: LineageNode; project: string; isSelf: boolean }) {
  const { t } = useTranslation('models')
  const path = isSelf ? null : nodePath(project, node)
  return (
    <>
      <Text size="xs" c="dimmed">
        {t(`lineage.kind.${node.kind}`, node.kind)}
      </Text>
      <Text size="sm" fw={600} lineClamp={2} lh={1.25} title={node.title}>
        {path ? (
          <Anchor component={Link} to={path} inherit>
            {node.title}
          </Anchor>
        ) : (
          node.title
        )}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {node.at && <RelativeTime value={node.at} />} {node.by}
      </Text>
    </>
  )
}
