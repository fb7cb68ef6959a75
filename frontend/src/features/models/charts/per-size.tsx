import { useTranslation } from 'react-i18next'

import { BarList } from '../../../charts/bar-list/bar-list'
import { formatFraction } from '../../../charts/format/format'
import { Section } from '../../../ui/section'
import type { ChartProps, ReportChart } from './chart'

/** How well small, middling and large objects are found. */
function Chart({ split }: ChartProps) {
  const { t } = useTranslation('report')
  if (split.per_size.length === 0) return null
  return (
    <Section title={t('per_size')} help={t('per_size_help')}>
      <BarList
        title={t('size')}
        columns={[
          { key: 'ap', title: t('size_ap'), format: formatFraction, full: 1 },
          { key: 'support', title: t('support_boxes'), format: (value) => String(value ?? 0), full: null },
        ]}
        rows={split.per_size.map(({ size, average_precision, support }) => ({
          key: size,
          title: t(`sizes.${size}`),
          values: { ap: support > 0 ? average_precision : null, support },
        }))}
        initialSort={{ column: 'support', isDescending: true }}
      />
    </Section>
  )
}

export default { name: 'per-size', Chart } satisfies ReportChart
