import { useTranslation } from 'react-i18next'

import { BarList } from '../../../charts/bar-list/bar-list'
import { formatFraction } from '../../../charts/format/format'
import { Section } from '../../../ui/section'
import { classRows } from '../model/class-rows'
import type { ChartProps, ReportChart } from './chart'

/** Each label with its figures; it leads to its items. */
function Chart({ split, onItems }: ChartProps) {
  const { t } = useTranslation('models')
  if (split.per_class.length === 0) return null
  const fraction = (key: 'average_precision' | 'precision' | 'recall' | 'f1') => ({
    key,
    title: t(`charts:metric.${key}`),
    format: formatFraction,
    full: 1,
  })
  // Where there are ROC curves, those tell how well scores rank.
  const isRanked = split.roc.length === 0 && split.per_class.some((each) => each.average_precision !== null)
  return (
    <Section title={t('report.per_class')}>
      <BarList
        title={t('report.label')}
        columns={[
          ...(isRanked ? [fraction('average_precision')] : []),
          fraction('f1'),
          fraction('precision'),
          fraction('recall'),
          {
            key: 'support',
            title: t(isRanked ? 'report.support_boxes' : 'report.support'),
            format: (value) => String(value ?? 0),
            full: null,
          },
        ]}
        rows={classRows(split.per_class)}
        initialSort={{ column: isRanked ? 'average_precision' : 'f1', isDescending: false }}
        onSelect={(label) => onItems({ kind: 'label', label })}
      />
    </Section>
  )
}

export default { name: 'per-class', Chart } satisfies ReportChart
