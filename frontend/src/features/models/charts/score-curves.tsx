import { Select, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction, formatNumber } from '../../../charts/format/format'
import { SquareChart } from '../../../charts/square/square'
import { Section } from '../../../ui/section'
import { pooledCalibration } from '../model/pooled-calibration'
import type { ChartProps, ReportChart } from './chart'

/** Whether scores rank well, and whether they may be read as probabilities. */
function Chart({ split }: ChartProps) {
  const { t } = useTranslation('report')
  if (split.roc.length + split.calibration.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {split.roc.length > 0 && (
        <Section title={t('rows.roc')} help={t('rows.roc_help')}>
          <SquareChart
            curves={split.roc.map(({ label, false_positive_rate, true_positive_rate, area }) => ({
              label,
              x: false_positive_rate,
              y: true_positive_rate,
              value: t('rows.area', { area: formatNumber(area) }),
            }))}
            xTitle={t('rows.false_positives')}
            yTitle={t('rows.true_positives')}
            label={t('rows.roc')}
            empty={t('rows.no_curve')}
          />
        </Section>
      )}
      {split.calibration.length > 0 && <Calibration calibration={split.calibration} />}
    </SimpleGrid>
  )
}

/** More curves than this cannot be told apart. */
const CURVES_MAX = 5

/** Whether scores hold what they promise: of each label, or of many labels in one curve or one of them by choice. */
function Calibration({ calibration }: { calibration: ChartProps['split']['calibration'] }) {
  const { t } = useTranslation('report')
  const [label, setLabel] = useState<string | null>(null)
  const isMany = calibration.length > CURVES_MAX
  const chosen = calibration.filter((one) => one.label === label)
  const shown = !isMany ? calibration : chosen.length ? chosen : [{ label: t('rows.all_labels'), ...pooledCalibration(calibration) }]
  return (
    <Section title={t('rows.calibration')} help={t('rows.calibration_help')}>
      {isMany && (
        <Select
          size="xs"
          w={200}
          mb="xs"
          searchable
          clearable
          aria-label={t('rows.calibration_label')}
          placeholder={t('rows.all_labels')}
          data={calibration.map((one) => one.label)}
          value={label}
          onChange={setLabel}
        />
      )}
      <SquareChart
        curves={shown.map(({ label: name, bins, error }) => ({
          label: name,
          x: bins.map(({ mean_score }) => mean_score),
          y: bins.map(({ share }) => share),
          counts: bins.map(({ count }) => count),
          value: t('rows.calibration_error', { error: formatFraction(error) }),
        }))}
        xTitle={t('rows.score')}
        yTitle={t('rows.came_true')}
        label={t('rows.calibration')}
        empty={t('rows.no_curve')}
      />
    </Section>
  )
}

export default { name: 'score-curves', Chart } satisfies ReportChart
