import { Drawer, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Beeswarm } from '../../../../charts/beeswarm/beeswarm'
import { Dependence } from '../../../../charts/dependence/dependence'
import { answerDomain } from '../../../../charts/dependence/points'
import { formatAmount, formatFraction } from '../../../../charts/format/format'
import { WaterfallChart } from '../../../../charts/waterfall/waterfall'
import { Section } from '../../../../ui/section'
import type { Artefact, MetricSpec, TableReport } from '../../api/types'
import { contributionsOf, dependencePoints, firstLabel, readersOf, swarmLines } from '../../model/row-report'
import { ColumnEffects } from './column-effects'
import { Leaderboard } from './leaderboard'
import { OutputSelect } from './output-select'

interface RowReportProps {
  artefact: Artefact
  table: TableReport
  /** Empty where a number is predicted. */
  labels: readonly string[]
  objective: MetricSpec | undefined
}

const LINES = 12

const signed = (format: (value: number) => string) => (value: number) => `${value > 0 ? '+' : ''}${format(value)}`

/** What only a model of rows has to tell: who went into it, which columns count, and which way. */
export function RowReport({ artefact, table, labels, objective }: RowReportProps) {
  const { t } = useTranslation('models')
  const [chosen, setChosen] = useState(() => firstLabel(labels))
  const [explained, setExplained] = useState<string | null>(null)
  const isNumber = labels.length === 0
  const output = isNumber ? 0 : chosen
  const format = isNumber ? formatAmount : formatFraction
  const select = <OutputSelect labels={labels} value={output} onChange={setChosen} />
  const answer = isNumber ? t('rows.answer_number') : t('rows.answer_label', { label: labels[output] ?? '' })
  const domain = answerDomain(
    table.dependence.flatMap(({ mean }) => mean.map((each) => each[output] ?? 0)),
    !isNumber,
  )
  const contributions = explained === null ? null : contributionsOf(table, explained, output)
  return (
    <>
      <Section title={t('rows.leaderboard')} help={t('rows.leaderboard_help')}>
        <Leaderboard models={table.models} objective={objective} />
      </Section>
      <ColumnEffects effects={table.effects} objective={objective?.name ?? ''} format={format} />
      {table.shap_rows.length > 0 && (
        <Section title={t('rows.swarm')} help={t('rows.swarm_help')} actions={select}>
          <Beeswarm
            lines={swarmLines(table, output, readersOf(artefact.manifest), LINES)}
            format={signed(format)}
            xTitle={t('rows.swarm_axis', { answer })}
            onSelect={setExplained}
          />
        </Section>
      )}
      {table.dependence.length > 0 && (
        <Section title={t('rows.dependence')} help={t('rows.dependence_help', { answer })} actions={select}>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
            {table.dependence.map((one) => (
              <Dependence
                key={one.column}
                column={one.column}
                kind={one.kind}
                points={dependencePoints(one, output)}
                domain={domain}
                format={format}
              />
            ))}
          </SimpleGrid>
        </Section>
      )}
      <Drawer opened={contributions !== null} onClose={() => setExplained(null)} position="right" size="lg" title={t('rows.one_answer')}>
        {contributions && (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {answer}
            </Text>
            <WaterfallChart base={table.base[output] ?? 0} contributions={contributions} format={format} formatChange={signed(format)} />
          </>
        )}
      </Drawer>
    </>
  )
}
