import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { formatEstimate } from '../../../charts/format/format'
import { useFailureText } from '../../../lib/failure-text'
import { useLocalText } from '../../../lib/local-text'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Progress } from '../../../ui/progress'
import { Section } from '../../../ui/section'
import { useAdvice, useAdviceCancel, useAdviceMeasure } from '../api/advice'
import { isWorking } from '../api/robustness'
import { AdviceList } from '../components/advice-list'
import type { ChartProps, ReportChart } from './chart'

/** What more items would bring, forecast from learning curves; measured when somebody asks for it. */
function Chart({ artefact, metrics }: ChartProps) {
  const { t } = useTranslation('report')
  const text = useLocalText()
  const failureText = useFailureText()
  const canAct = useHasRole('engineer')
  const found = useAdvice(artefact.id)
  const measure = useAdviceMeasure(artefact.id)
  const cancel = useAdviceCancel(artefact.id)
  const { report, job, is_offered: isOffered, estimated_s: estimate } = found.data ?? { report: null, job: null, is_offered: true }
  const running = job && isWorking(job.state) ? job : null
  const failure = job?.state === 'failed' && job.error ? failureText(job.error) : null
  const metric = metrics.find(({ name }) => name === report?.objective)
  if (!isOffered) return null
  return (
    <Section title={t('advice.title')} help={t('advice.help')}>
      <Stack gap="sm" align="stretch">
        {found.isPending && <LoadingState />}
        {found.error && <ErrorState error={found.error} />}
        {found.data && !report && !running && <Text size="sm">{t('advice.none', { time: formatEstimate(estimate) })}</Text>}
        {failure && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={t('advice.failed')}>
            {failure.message} {failure.hint}
          </Alert>
        )}
        {measure.error && <ErrorState error={measure.error} />}
        {running && (
          <Group wrap="nowrap" align="flex-end" data-no-print>
            <div style={{ flex: 1, minWidth: 0 }}>
              <Progress
                fraction={running.progress_fraction}
                remainingSeconds={running.remaining_s}
                label={t(running.state === 'running' ? 'advice.running' : 'advice.waiting')}
              />
            </div>
            {canAct && (
              <Button variant="default" disabled={running.is_stopping} loading={cancel.isPending} onClick={() => cancel.mutate(running.id)}>
                {t('common:cancel')}
              </Button>
            )}
          </Group>
        )}
        {cancel.error && <ErrorState error={cancel.error} />}
        {report && (
          <AdviceList key={job?.id} advice={report} project={artefact.project} metric={metric ? text(metric.title) : report.objective} />
        )}
        {canAct && !running && found.data && (
          <Group data-no-print>
            <Button size="compact-sm" variant="default" loading={measure.isPending} onClick={() => measure.mutate()}>
              {t(report ? 'advice.again' : 'advice.measure_it')}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

export default { name: 'advice', Chart } satisfies ReportChart
