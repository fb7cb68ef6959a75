import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useNothingWord } from '../../../answers/nothing-word'
import { predictionText } from '../../../answers/prediction-text'
import { formatAmount } from '../../../charts/format/format'
import { useLocalText } from '../../../lib/local-text'
import { type Column, useColumns } from '../../../lib/table/columns'
import { CellText } from '../../../ui/cell-text'
import { ReadGrid } from '../../../ui/grid/read-grid'
import { ReadLine } from '../../../ui/grid/read-line'
import type { useResults } from '../api/get-predictions'
import type { Result, Run } from '../api/types'
import { AskMark } from './ask-mark'

interface ResultRowsProps {
  run: Run
  results: readonly Result[]
  query: ReturnType<typeof useResults>
}

const ANSWER_PX = 240

/** Rows with the answer in front, and the cells as they came. */
export function ResultRows({ run, results, query }: ResultRowsProps) {
  const { t } = useTranslation('predictions')
  const local = useLocalText()
  const nothing = useNothingWord()
  const known = useColumns().data?.columns ?? []
  const columns = run.columns.map((name) => known.find((each) => each.name === name) ?? unknown(name))
  return (
    <ReadGrid
      label={t('results.title')}
      target={t('results.answer')}
      columns={columns}
      rows={results}
      query={query}
      target_px={ANSWER_PX}
      line={(result, grid, place, top_px) => {
        const interval = result.interval && t('results.interval', ends(result.interval))
        const text = result.reason ? local(result.reason) : predictionText(result.annotations) || nothing
        return (
          <ReadLine
            key={result.place}
            grid={grid}
            place={place}
            top_px={top_px}
            name={`${result.name}, ${text}`}
            front={
              <Text size="sm" fw={600} truncate c={result.reason ? 'red' : undefined} title={[text, interval].filter(Boolean).join(' · ')}>
                <AskMark result={result} />
                {text}
                {interval && (
                  <Text span inherit fw={400} c="dimmed">
                    {` ${interval}`}
                  </Text>
                )}
              </Text>
            }
            cell={({ name }) => ({ content: <CellText cell={result.row?.cells[name]} />, title: result.row?.cells[name] })}
          />
        )
      }}
    />
  )
}

const ends = ({ low, high }: { low: number; high: number }) => ({ low: formatAmount(low), high: formatAmount(high) })

/** A column of a file that the project's table does not have. */
const unknown = (name: string): Column => ({ name, kind: 'text', role: 'feature', units: [], decimal: '.', datetime_format: '' })
