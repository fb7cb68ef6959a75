import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatAmount } from '../../charts/format/format'
import type { JudgedSplitProps } from '../kind'

/** How far off answers are, as people would ask it. */
export function ErrorsInWords({ split: { regression: fit } }: JudgedSplitProps) {
  const { t } = useTranslation('report')
  if (!fit) return null
  const [half, , nine] = fit.absolute_error_quantiles
  return (
    <Text c="dimmed">
      {t('rows.plain_errors', { half: formatAmount(half), nine: formatAmount(nine), mean: formatAmount(fit.truth_std) })}
    </Text>
  )
}
