import { Loader } from '@mantine/core'
import { type ReactNode, useRef } from 'react'

import { besidesTarget, useColumns } from '../../lib/table/columns'
import { type RowLike, useRowCells } from './row-cells'
import { useScrollKeys } from '../../lib/use-scroll-keys'
import { CellText } from '../../ui/cell-text'
import { ErrorState } from '../../ui/error-state'
import { KindIcon } from '../../ui/kind-icon'
import classes from './cells.module.css'

interface RowStageProps {
  item: RowLike & { name: string }
  children?: ReactNode
}

/** A row as a card of cells by column, features first. The target is left out: it is the annotation. */
export function RowStage({ item, children }: RowStageProps) {
  const columns = useColumns()
  const { cells, error } = useRowCells(item)
  const scroll = useRef<HTMLDivElement>(null)
  useScrollKeys(scroll)
  return (
    <div className={classes.stage}>
      <div key={item.name} ref={scroll} className={classes.scroll} role="region" aria-label={item.name} tabIndex={0}>
        {error ? <ErrorState error={error} /> : (columns.isPending || !cells) && <Loader size="xs" m="auto" />}
        <dl className={classes.card}>
          {cells &&
            besidesTarget(columns.data?.columns ?? []).map(({ name, kind, role }) => (
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
