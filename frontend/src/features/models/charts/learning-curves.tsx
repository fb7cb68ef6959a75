import { useTranslation } from 'react-i18next'

import { LearningCurves } from '../../../charts/learning-curves/learning-curves'
import { Section } from '../../../ui/section'
import { TrainingProfile } from '../components/training-profile'
import type { ChartProps, ReportChart } from './chart'

/** How the objective rose while the model learned. */
function Chart({ artefact, report, metrics }: ChartProps) {
  const { t } = useTranslation('report')
  return (
    <>
      {/* Most models of tables learn in one go, and some are used as they come. */}
      {report.curves.length > 0 && (
        <Section title={t('curves')}>
          <LearningCurves curves={[{ id: artefact.id, title: '', points: report.curves }]} metric={metrics[0]?.name ?? 'accuracy'} isOver />
        </Section>
      )}
      {report.profile && <TrainingProfile profile={report.profile} />}
    </>
  )
}

export default { name: 'learning-curves', Chart } satisfies ReportChart
