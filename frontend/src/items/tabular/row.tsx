import { Box } from '@mantine/core'
import type { CSSProperties } from 'react'

import { besidesTarget, useColumns } from '../../lib/table/columns'
import { CellText } from '../../ui/cell-text'
import classes from './cells.module.css'

interface RowThumbProps {
  cells: Readonly<Record<string, string>>
  /** Cells shown; their height is reserved. */
  lines?: number
  width?: number | string
}

/** The first cells of a row, each with its column, in a frame of the same height whatever the row. */
export function RowThumb({ cells, lines = 5, width = '100%' }: RowThumbProps) {
  const columns = useColumns().data?.columns
  const names = columns ? besidesTarget(columns).map(({ name }) => name) : Object.keys(cells)
  return (
    <Box className={classes.frame} w={width} maw="100%" data-text>
      <dl className={classes.thumb} style={{ '--lines': lines } as CSSProperties}>
        {names.slice(0, lines).map((name) => (
          <div key={name}>
            <dt title={name}>{name}</dt>
            <dd>
              <CellText cell={cells[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </Box>
  )
}
