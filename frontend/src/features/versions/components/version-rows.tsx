import { useTranslation } from 'react-i18next'

import { useNothingWord } from '../../../answers/nothing-word'
import type { Label } from '../../../lib/api/types'
import { besidesTarget } from '../../../lib/table/columns'
import { CellText } from '../../../ui/cell-text'
import { ReadGrid } from '../../../ui/grid/read-grid'
import { ReadLine } from '../../../ui/grid/read-line'
import { LoadingState } from '../../../ui/loading-state'
import type { useVersionItems } from '../api/get-versions'
import { useStateColumns } from '../api/state-columns'
import { annotationsText } from '../model/row-changes'
import classes from './version-rows.module.css'

interface VersionRowsProps {
  version: string
  items: ReturnType<typeof useVersionItems>
  labels: readonly Label[]
}

/** The frozen rows of a version as the table they were, by the columns of that time. */
export function VersionRows({ version, items, labels }: VersionRowsProps) {
  const { t } = useTranslation('versions')
  const nothing = useNothingWord()
  const columns = useStateColumns(version)
  const rows = items.data?.pages.flatMap((page) => page.items) ?? []
  if (!columns) return <LoadingState rows={2} height={120} />
  return (
    <ReadGrid
      label={t('gallery')}
      target={columns.find(({ role }) => role === 'target')?.name ?? null}
      columns={besidesTarget(columns)}
      rows={rows}
      query={items}
      line={(item, grid, place, top_px) => {
        const annotations = annotationsText(item.annotations)
        const split = t(`charts:split.${item.split}`)
        return (
          <ReadLine
            key={item.item}
            grid={grid}
            place={place}
            top_px={top_px}
            name={[item.name, annotations, split].filter(Boolean).join(', ')}
            front={
              <>
                <span
                  className={classes.dot}
                  style={{ background: labels.find(({ name }) => name === annotations)?.color }}
                  data-mark
                  aria-hidden
                />
                <span className={classes.annotations} title={annotations}>
                  {annotations || nothing}
                </span>
                <span className={classes.split}>{split}</span>
              </>
            }
            cell={({ name }) => ({ content: <CellText cell={item.row?.cells[name]} />, title: item.row?.cells[name] })}
          />
        )
      }}
    />
  )
}
