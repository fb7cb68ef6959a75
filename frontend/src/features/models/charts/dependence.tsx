import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { Dependence } from '../../../charts/dependence/dependence'
import { answerDomain } from '../../../charts/dependence/points'
import { Section } from '../../../ui/section'
import { OutputSelect } from '../components/rows/output-select'
import { useAnswerWords } from '../components/rows/use-answer-words'
import { dependencePoints } from '../model/row-report'
import type { ChartProps, ReportChart } from './chart'

/** How the answer changes with each of the most important columns. */
function Chart({ report: { table, labels }, output, onOutput }: ChartProps) {
  const { t } = useTranslation('report')
  const { answer, format } = useAnswerWords(labels, output)
  if (!table || table.dependence.length === 0) return null
  const domain = answerDomain(
    table.dependence.flatMap(({ mean }) => mean.map((each) => each[output] ?? 0)),
    labels.length > 0,
  )
  return (
    <Section
      title={t('rows.dependence')}
      help={t('rows.dependence_help', { answer })}
      actions={<OutputSelect labels={labels} value={output} onChange={onOutput} />}
    >
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
  )
}

export default { name: 'dependence', Chart } satisfies ReportChart
