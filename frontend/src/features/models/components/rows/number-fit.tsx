import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount } from '../../../../charts/format/format'
import { Histogram } from '../../../../charts/histogram/histogram'
import { TruthScatter } from '../../../../charts/truth-scatter/truth-scatter'
import { Section } from '../../../../ui/section'
import type { RegressionFit } from '../../api/types'
import { truthPoints } from '../../model/row-report'

/** How predicted numbers fit the true ones. */
export function NumberFit({ fit }: { fit: RegressionFit }) {
  const { t } = useTranslation('models')
  const [low, , middle, , high] = fit.error_quantiles
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Section title={t('rows.truth')} help={t('rows.truth_help')}>
        <TruthScatter points={truthPoints(fit)} />
      </Section>
      <Section
        title={t('rows.residuals')}
        help={t('rows.residuals_help', { low: formatAmount(low), middle: formatAmount(middle), high: formatAmount(high) })}
      >
        <Histogram
          {...fit.residuals}
          label={t('rows.residuals')}
          xTitle={t('rows.residual_axis')}
          yTitle={t('report.support')}
          format={formatAmount}
          mark={0}
          height_px={320}
        />
      </Section>
    </SimpleGrid>
  )
}
