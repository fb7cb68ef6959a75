import { Loader } from '@mantine/core'
import { type ReactNode, useRef } from 'react'

import { besidesTarget, useColumns } from '../lib/table/columns'
import { useScrollKeys } from '../lib/use-scroll-keys'
import { CellText } from './cell-text'
import { KindIcon } from './kind-icon'
import classes from './row-cells.module.css'

interface RowStageProps {
  item: { id?: string; name: string }
  cells: Readonly<Record<string, string>>
  children?: ReactNode
}

/** A row to be read: a card of cells by their columns, what is learned from first. The target is not among them: it is what is said. */
export function RowStage({ item, cells, children }: RowStageProps) {
  const columns = useColumns()
  const scroll = useRef<HTMLDivElement>(null)
  useScrollKeys(scroll)
  return (
    <div className={classes.stage}>
      <div key={item.name} ref={scroll} className={classes.scroll} role="region" aria-label={item.name} tabIndex={0}>
        {columns.isPending && <Loader size="xs" m="auto" />}
        <dl className={classes.card}>
          {besidesTarget(columns.data?.columns ?? []).map(({ name, kind, role }) => (
            <div key={name} data-ignored={role === 'ignored' || undefined}>
              <dt title={name}>
                <KindIcon kind={kind} />
                <span>{name}</span>
              </dt>
              <dd data-long={kind === 'text' || undefined}>
                {kind === 'text' && cells[name] ? <span dir="auto">{cells[name]}</span> : <CellText cell={cells[name]} />}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {children}
    </div>
  )
}
