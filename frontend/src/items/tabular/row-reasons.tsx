import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { WaterfallChart } from '../../charts/waterfall/waterfall'
import type { Answer } from '../../lib/api/answer'

interface RowReasonsProps {
  explained: Answer<'ExplainedRowOut'>
  /** Writes an answer, or a part of it. */
  format: (part: number) => string
}

/** What each column of a row adds to the answer. */
export function RowReasons({ explained: { label, base, parts, num_background }, format }: RowReasonsProps) {
  const { t } = useTranslation('deployments')
  const signed = (part: number) => `${part > 0 ? '+' : ''}${format(part)}`
  return (
    <div>
      {label !== null && (
        <Text size="xs" c="dimmed" mb={6}>
          {t('try.row.of', { label })}
        </Text>
      )}
      <WaterfallChart base={base} contributions={parts} format={format} formatChange={signed} />
      <Text size="xs" c="dimmed" mt={6}>
        {t('try.row.compared', { count: num_background })}
      </Text>
    </div>
  )
}
