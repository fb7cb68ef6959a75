import { SegmentedControl, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { ratesOf } from '../model/coverage'

interface ErrorRatesProps {
  lines: readonly { error_rate: number }[]
  value: number
  onChange: (rate: number) => void
}

/** The error rates of a report, of which one is looked at. */
export function ErrorRates({ lines, value, onChange }: ErrorRatesProps) {
  const { t } = useTranslation('report')
  return (
    <div>
      <Text size="sm" mb={4}>
        {t('coverage.rate')}
      </Text>
      <SegmentedControl
        size="xs"
        aria-label={t('coverage.rate')}
        value={String(value)}
        onChange={(rate) => onChange(Number(rate))}
        data={ratesOf(lines).map((rate) => ({ value: String(rate), label: formatFraction(rate, 0) }))}
      />
    </div>
  )
}
