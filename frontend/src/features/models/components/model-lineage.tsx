import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { Dag } from '../../../charts/dag/dag'
import { useLocalText } from '../../../lib/local-text'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { useTargets } from '../api/exports'
import { useLineage } from '../api/get-lineage'
import type { Artefact, LineageNode } from '../api/types'
import { lineageDrawing, nodePath } from '../model/lineage'
import { StageHistory } from './stage-history'

/** Kinds that are numbered. */
const NUMBERED: Record<string, 'name' | 'lineage.trial' | 'lineage.version'> = {
  artefact: 'name',
  start: 'name',
  trial: 'lineage.trial',
  version: 'lineage.version',
}

/** Where a model comes from and where it went, drawn from left to right, and how it got to its stage. */
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
        renderNode={(node) => (
          <LineageCard node={node} path={node.id === artefact.id ? null : nodePath(artefact.project, node, lineage.data.edges)} />
        )}
      />
      <StageHistory artefact={artefact.id} />
    </>
  )
}

/** What a node is called in the reader's language; the server's titles are in English. */
function useNodeTitle() {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const targets = useTargets().data
  return (node: LineageNode) => {
    const target = node.kind === 'export' && targets?.find((each) => each.name === node.name)
    if (target) return text(target.title)
    const { name, number } = node
    if (number === null) return name || node.title
    const numbered = NUMBERED[node.kind]
    if (numbered) return t(numbered, { number })
    return name ? t('lineage.annotated_by', { name, count: number }) : t('lineage.annotated', { count: number })
  }
}

function LineageCard({ node, path }: { node: LineageNode; path: string | null }) {
  const { t } = useTranslation('models')
  const title = useNodeTitle()(node)
  return (
    <>
      <Text size="xs" c="dimmed">
        {t(`lineage.kind.${node.kind}`, node.kind)}
      </Text>
      <Text size="sm" fw={600} lineClamp={2} lh={1.25} title={title}>
        {path ? (
          <Anchor component={Link} to={path} inherit>
            {title}
          </Anchor>
        ) : (
          title
        )}
      </Text>
      {node.by && (
        <Text size="xs" c="dimmed" truncate title={node.by}>
          {node.by}
        </Text>
      )}
      {node.at && (
        <Text size="xs" c="dimmed" truncate>
          <RelativeTime value={node.at} />
        </Text>
      )}
    </>
  )
}
