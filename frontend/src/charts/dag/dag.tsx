import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'

import classes from './dag.module.css'
import { layoutDag, type DagNode, type Edge, type Placed } from './layout'

interface DagProps<N extends DagNode> {
  title: string
  nodes: readonly N[]
  edges: readonly Edge[]
  renderNode: (node: N) => ReactNode
}

const NODE = { min_px: 124, max_px: 190, height: 104 }
const GAP = { x: 22, y: 18 }
/** Of the frame, so that the focus around a card is not cut. */
const PADDING_PX = 2

/** Of a frame that is too narrow to scroll sideways in. */
const NARROW_PX = 560

/** The graph from top to bottom, step by step: what stands in one column lies together. */
function Steps<N extends DagNode>({ title, laid, renderNode }: Pick<DagProps<N>, 'title' | 'renderNode'> & { laid: readonly Placed<N>[] }) {
  const columns = [...new Set(laid.map(({ column }) => column))].sort((one, other) => one - other)
  return (
    <ol className={classes.steps} aria-label={title}>
      {columns.map((column) => (
        <li key={column}>
          {laid
            .filter((each) => each.column === column)
            .map(({ node }) => (
              <div key={node.id} className={classes.step}>
                {renderNode(node)}
              </div>
            ))}
        </li>
      ))}
    </ol>
  )
}

/** A small graph from left to right, fitted to its frame where it can be and on a phone from top to bottom; nodes are HTML, so links and text behave as such. */
export function Dag<N extends DagNode>({ title, nodes, edges, renderNode }: DagProps<N>) {
  const { ref, width: frame_px } = useElementSize()
  const laid = layoutDag(nodes, edges)
  const numColumns = Math.max(0, ...laid.map((each) => each.column)) + 1
  const fitting_px = Math.floor((frame_px - 2 * PADDING_PX + GAP.x) / numColumns) - GAP.x
  const node = { width: Math.min(NODE.max_px, Math.max(NODE.min_px, fitting_px)), height: NODE.height }
  const placed = laid.map((each) => ({
    ...each,
    x: each.column * (node.width + GAP.x),
    y: each.row * (node.height + GAP.y),
  }))
  if (frame_px > 0 && frame_px < NARROW_PX && fitting_px < NODE.min_px)
    return (
      <div ref={ref}>
        <Steps title={title} laid={laid} renderNode={renderNode} />
      </div>
    )
  const at = new Map(placed.map((each) => [each.node.id, each]))
  const width = Math.max(0, ...placed.map((each) => each.x + node.width))
  const height = Math.max(0, ...placed.map((each) => each.y + node.height))
  return (
    <div ref={ref} className={classes.scroll}>
      <div className={classes.root} style={{ width, height }} role="list" aria-label={title}>
        <svg width={width} height={height} aria-hidden>
          {edges.map(([from, to]) => {
            const source = at.get(from)
            const target = at.get(to)
            if (!source || !target) return null
            const [x1, y1] = [source.x + node.width, source.y + node.height / 2]
            const [x2, y2] = [target.x, target.y + node.height / 2]
            return <path key={`${from}/${to}`} d={`M${x1} ${y1}C${x1 + GAP.x / 2} ${y1} ${x2 - GAP.x / 2} ${y2} ${x2} ${y2}`} />
          })}
        </svg>
        {placed.map((each) => (
          <div key={each.node.id} role="listitem" className={classes.node} style={{ ...node, left: each.x, top: each.y }}>
            {renderNode(each.node)}
          </div>
        ))}
      </div>
    </div>
  )
}
