import { Alert, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { Histogram } from '../../../charts/histogram/histogram'
import { Section } from '../../../ui/section'
import type { ChartProps, ReportChart } from './chart'

/** How anomaly scores of each label are spread, with the threshold, and what is not known without defects. */
function Chart({ artefact, split }: ChartProps) {
  const { t } = useTranslation('report')
  if (split.score_distribution.length === 0) return null
  const defect = split.score_distribution.find(({ is_normal }) => !is_normal)
  const limit = defect && artefact.thresholds[defect.label]
  const shown = split.score_distribution.filter(({ counts }) => counts.some((count) => count > 0))
  return (
    <Section title={t('heat_map.scores')} help={t('heat_map.scores_help')}>
      <Stack>
        {defect?.counts.every((count) => count === 0) && <Alert color="yellow">{t('heat_map.no_defects')}</Alert>}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {shown.map(({ label, counts }) => (
            <div key={label}>
              <Text size="sm" fw={600}>
                {label}
              </Text>
              <Histogram
                edges={counts.map((_, place) => place / counts.length).concat(1)}
                counts={counts}
                label={`${t('heat_map.scores')}: ${label}`}
                xTitle={t('heat_map.score')}
                yTitle={t('support')}
                format={formatFraction}
                {...(limit === undefined ? {} : { mark: limit })}
              />
            </div>
          ))}
        </SimpleGrid>
        {limit !== undefined && (
          <Text size="sm" c="dimmed">
            {t('heat_map.limit', { limit: formatFraction(limit) })}
          </Text>
        )}
      </Stack>
    </Section>
  )
}

export default { name: 'score-distribution', Chart } satisfies ReportChart
