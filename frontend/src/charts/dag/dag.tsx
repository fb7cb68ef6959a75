import type { ReactNode } from 'react'

import classes from './dag.module.css'
import { layoutDag, type DagNode, type Edge } from './layout'

interface DagProps<N extends DagNode> {
  title: string
  nodes: readonly N[]
  edges: readonly Edge[]
  renderNode: (node: N) => ReactNode
}

const NODE = { width: 176, height: 76 }
const GAP = { x: 40, y: 18 }

/** A small graph from left to right; nodes are HTML, so links and text behave as such. */
export function Dag<N extends DagNode>({ title, nodes, edges, renderNode }: DagProps<N>) {
  const placed = layoutDag(nodes, edges).map((each) => ({
    ...each,
    x: each.column * (NODE.width + GAP.x),
    y: each.row * (NODE.height + GAP.y),
  }))
  const at = new Map(placed.map((each) => [each.node.id, each]))
  const width = Math.max(0, ...placed.map((each) => each.x + NODE.width))
  const height = Math.max(0, ...placed.map((each) => each.y + NODE.height))
  return (
    <div className={classes.scroll}>
      <div className={classes.root} style={{ width, height }} role="list" aria-label={title}>
        <svg width={width} height={height} aria-hidden>
          {edges.map(([from, to]) => {
            const source = at.get(from)
            const target = at.get(to)
            if (!source || !target) return null
            const [x1, y1] = [source.x + NODE.width, source.y + NODE.height / 2]
            const [x2, y2] = [target.x, target.y + NODE.height / 2]
            return <path key={`${from}/${to}`} d={`M${x1} ${y1}C${x1 + GAP.x / 2} ${y1} ${x2 - GAP.x / 2} ${y2} ${x2} ${y2}`} />
          })}
        </svg>
        {placed.map((each) => (
          <div key={each.node.id} role="listitem" className={classes.node} style={{ ...NODE, left: each.x, top: each.y }}>
            {renderNode(each.node)}
          </div>
        ))}
      </div>
    </div>
  )
}
