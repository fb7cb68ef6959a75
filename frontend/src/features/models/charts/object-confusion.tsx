import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ConfusionMatrix } from '../../../charts/confusion-matrix/confusion-matrix'
import { Section } from '../../../ui/section'
import type { ChartProps, ReportChart } from './chart'

/** Which objects were taken for which, which were missed and which were predicted where nothing is; each cell leads to its items. */
function Chart({ report, split, onItems }: ChartProps) {
  const { t } = useTranslation('report')
  if (split.object_confusion.length === 0) return null
  return (
    <Section title={t('object_confusion.title')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('object_confusion.note')}
      </Text>
      <ConfusionMatrix
        labels={report.labels}
        confusion={split.object_confusion}
        onSelect={({ truth, answer }) =>
          onItems({ kind: 'objects', truth: report.labels[truth] ?? null, answer: report.labels[answer] ?? null })
        }
      />
    </Section>
  )
}

export default { name: 'object-confusion', Chart } satisfies ReportChart
