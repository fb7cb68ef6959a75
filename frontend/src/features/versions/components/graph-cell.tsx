import { useScheme } from '../../../charts/palette/use-scheme'
import { seriesColor } from '../../../charts/palette/palette'
import type { GraphRow } from '../model/version-graph'
import classes from './graph-cell.module.css'

const LANE_PX = 16

interface GraphCellProps {
  row: GraphRow
  numLanes: number
  branch: string
  /** Names of the branches in a fixed order, for their colours. */
  branches: readonly string[]
  /** Whether the working state follows this version. */
  isBase: boolean
}

/** One row of the tree of versions; the rows together draw it. */
export function GraphCell({ row, numLanes, branch, branches, isBase }: GraphCellProps) {
  const scheme = useScheme()
  const color = (name: string) => seriesColor(Math.max(0, branches.indexOf(name)), scheme)
  const left = (lane: number) => lane * LANE_PX + LANE_PX / 2
  return (
    <div className={classes.root} style={{ width: numLanes * LANE_PX }} aria-hidden>
      {row.lines.map((line) => (
        <span
          key={`${line.lane}-${line.half}`}
          className={`${classes.line} ${classes[line.half]}`}
          style={{ left: left(line.lane), background: color(line.branch) }}
        />
      ))}
      {row.links.map((link) => (
        <span
          key={link.lane}
          className={classes.link}
          style={{
            left: Math.min(left(link.lane), left(row.lane)),
            width: Math.abs(left(link.lane) - left(row.lane)),
            background: color(link.branch),
          }}
        />
      ))}
      <span
        className={`${classes.node} ${isBase ? classes.base : ''}`}
        style={{ left: left(row.lane), background: color(branch), color: color(branch) }}
      />
    </div>
  )
}
