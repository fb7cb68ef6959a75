import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount } from '../../../charts/format/format'
import { Histogram } from '../../../charts/histogram/histogram'
import { TruthScatter } from '../../../charts/truth-scatter/truth-scatter'
import { Section } from '../../../ui/section'
import { truthPoints } from '../model/row-report'
import type { ChartProps, ReportChart } from './chart'

/** How predicted numbers fit the true ones. */
function Chart({ split: { regression: fit }, onItems }: ChartProps) {
  const { t } = useTranslation('report')
  if (!fit) return null
  const [low, , middle, , high] = fit.error_quantiles
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title={t('rows.truth')} help={t('rows.truth_help')}>
        <TruthScatter points={truthPoints(fit)} onSelect={(item) => onItems({ kind: 'one', item })} />
      </Section>
      <Section
        title={t('rows.residuals')}
        help={t('rows.residuals_help', { low: formatAmount(low), middle: formatAmount(middle), high: formatAmount(high) })}
      >
        <Histogram
          {...fit.residuals}
          label={t('rows.residuals')}
          xTitle={t('rows.residual_axis')}
          yTitle={t('support')}
          format={formatAmount}
          mark={0}
          height_px={320}
        />
      </Section>
    </SimpleGrid>
  )
}

export default { name: 'regression', Chart } satisfies ReportChart
