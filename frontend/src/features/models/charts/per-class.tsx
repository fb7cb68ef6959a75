import { useTranslation } from 'react-i18next'

import { BarList } from '../../../charts/bar-list/bar-list'
import { formatFraction } from '../../../charts/format/format'
import { Section } from '../../../ui/section'
import { classRows, FEWEST_OF_LABEL, hasTooFew } from '../model/class-rows'
import type { ChartProps, ReportChart } from './chart'

/** Each label with its figures; it leads to its items. */
function Chart({ split, onItems }: ChartProps) {
  const { t } = useTranslation('report')
  if (split.per_class.length === 0) return null
  const fraction = (key: 'average_precision' | 'intersection_over_union' | 'precision' | 'recall' | 'f1') => ({
    key,
    title: t(`charts:metric.${key}`),
    format: formatFraction,
    full: 1,
  })
  // Where there are ROC curves, they show how well scores rank.
  const isRanked = split.roc.length === 0 && split.per_class.some((each) => each.average_precision !== null)
  const hasOverlap = split.per_class.some((each) => each.intersection_over_union != null)
  const first = isRanked ? 'average_precision' : hasOverlap ? 'intersection_over_union' : 'f1'
  return (
    <Section title={t('per_class')} help={split.per_class.some(hasTooFew) && t('per_class_few', { count: FEWEST_OF_LABEL })}>
      <BarList
        title={t('label')}
        columns={[
          ...(first === 'f1' ? [] : [fraction(first)]),
          fraction('f1'),
          fraction('precision'),
          fraction('recall'),
          {
            key: 'support',
            title: t(isRanked ? 'support_boxes' : 'support'),
            format: (value) => String(value ?? 0),
            full: null,
          },
        ]}
        rows={classRows(split.per_class)}
        initialSort={{ column: first, isDescending: false }}
        onSelect={(label) => onItems({ kind: 'label', label })}
      />
    </Section>
  )
}

export default { name: 'per-class', Chart } satisfies ReportChart
