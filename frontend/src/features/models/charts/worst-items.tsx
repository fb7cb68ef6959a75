import { useTranslation } from 'react-i18next'

import { Section } from '../../../ui/section'
import { JudgedItems } from '../components/judged-items'
import type { ChartProps, ReportChart } from './chart'

/** The items that the model got most wrong. */
function Chart({ artefact, split, columns, onItem }: ChartProps) {
  const { t } = useTranslation('report')
  return (
    <Section title={t('worst')} help={t('worst_text')}>
      <JudgedItems key={split.split} artefact={artefact} split={split.split} view={{ kind: 'errors' }} columns={columns} onItem={onItem} />
    </Section>
  )
}

export default { name: 'worst-items', Chart } satisfies ReportChart
