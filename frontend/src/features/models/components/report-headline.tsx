import { Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { formatMetric } from '../../../charts/format/format'
import { headline, type SplitFacts } from '../model/headline'

interface ReportHeadlineProps {
  split: SplitFacts
  objective: string
  /** The objective is in the unit of what is predicted. */
  isAmount: boolean
  /** How far truths lie apart, where a number is predicted. */
  spread?: number | null | undefined
  /** A second sentence, in plain words. */
  children?: ReactNode
}

/** The report in one sentence, and how far to trust it. */
export function ReportHeadline({ split, objective, isAmount, spread, children }: ReportHeadlineProps) {
  const { t } = useTranslation('report')
  const headlineWords = headline(split, objective, isAmount, spread)
  if (!headlineWords) return null
  const sentence = t(headlineWords.isTooFew ? 'headline_too_few' : 'headline', {
    metric: t(`charts:metric.${headlineWords.metric}`, headlineWords.metric),
    value: formatMetric(headlineWords.metric, headlineWords.value),
    count: headlineWords.num_items,
    split: t(`charts:split.${headlineWords.split}`, headlineWords.split),
  })
  const range = headlineWords.interval
    ? t('headline_interval', {
        low: formatMetric(headlineWords.metric, headlineWords.interval[0]),
        high: formatMetric(headlineWords.metric, headlineWords.interval[1]),
      })
    : ''
  const stop = t('stop')
  return (
    <Stack gap={6} flex="1 1 300px">
      <Title order={2} size="h2" fw={600}>
        {sentence}
        {range}
        {stop}
      </Title>
      {headlineWords.num_wrong !== null && (
        <Text c="dimmed">{t('wrong', { count: headlineWords.num_wrong, total: headlineWords.num_items })}</Text>
      )}
      {children}
      {headlineWords.cautions.length > 0 && (
        <Stack gap={2}>
          {headlineWords.cautions.map((caution) => (
            <Group key={caution} gap={6} wrap="nowrap">
              <IconAlertTriangle size={15} color="var(--mantine-color-orange-6)" style={{ flex: 'none' }} />
              <Text size="sm">{t(`caution.${caution}`, { count: split.num_models ?? 1 })}</Text>
            </Group>
          ))}
        </Stack>
      )}
    </Stack>
  )
}
