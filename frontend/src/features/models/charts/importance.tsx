import { Button, Drawer, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Beeswarm } from '../../../charts/beeswarm/beeswarm'
import { WaterfallChart } from '../../../charts/waterfall/waterfall'
import { Section } from '../../../ui/section'
import { ColumnEffects } from '../components/rows/column-effects'
import { OutputSelect } from '../components/rows/output-select'
import { useAnswerWords } from '../components/rows/use-answer-words'
import { contributionsOf, readersOf, swarmLines } from '../model/row-report'
import type { ChartProps, ReportChart } from './chart'

const LINES = 12

const signed = (format: (value: number) => string) => (value: number) => `${value > 0 ? '+' : ''}${format(value)}`

/** Which columns count and which way, for all rows and for one. */
function Chart({ artefact, report: { table, labels }, metrics, output, onOutput, onItems }: ChartProps) {
  const { t } = useTranslation('report')
  const [explained, setExplained] = useState<string | null>(null)
  const { answer, format } = useAnswerWords(labels, output)
  if (!table) return null
  const contributions = explained === null ? null : contributionsOf(table, explained, output)
  const open = () => {
    if (explained !== null) onItems({ kind: 'one', item: explained })
    setExplained(null)
  }
  return (
    <>
      <ColumnEffects effects={table.effects} objective={metrics[0]?.name ?? ''} format={format} />
      {table.shap_rows.length > 0 && (
        <Section
          title={t('rows.swarm')}
          help={t('rows.swarm_help')}
          actions={<OutputSelect labels={labels} value={output} onChange={onOutput} />}
        >
          <Beeswarm
            lines={swarmLines(table, output, readersOf(artefact.manifest), LINES)}
            format={signed(format)}
            xTitle={t('rows.swarm_axis', { answer })}
            onSelect={setExplained}
          />
        </Section>
      )}
      <Drawer opened={contributions !== null} onClose={() => setExplained(null)} position="right" size="lg" title={t('rows.one_answer')}>
        {contributions && (
          <>
            <Group justify="space-between" mb="sm">
              <Text size="sm" c="dimmed">
                {answer}
              </Text>
              <Button size="compact-sm" variant="default" onClick={open}>
                {t('rows.open')}
              </Button>
            </Group>
            <WaterfallChart base={table.base[output] ?? 0} contributions={contributions} format={format} formatChange={signed(format)} />
          </>
        )}
      </Drawer>
    </>
  )
}

export default { name: 'importance', Chart } satisfies ReportChart
