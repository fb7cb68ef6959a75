import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useFailureText } from '../../../lib/failure-text'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Progress } from '../../../ui/progress'
import { Section } from '../../../ui/section'
import { isWorking, useRobustness, useRobustnessCancel, useRobustnessTest } from '../api/robustness'
import { RobustnessTable } from '../components/robustness-table'
import type { ChartProps, ReportChart } from './chart'

/** How answers hold when items are made worse on purpose; tried when somebody asks for it. */
function Chart({ artefact, split }: ChartProps) {
  const { t } = useTranslation('report')
  const failureText = useFailureText()
  const canAct = useHasRole('engineer')
  const of = { artefact: artefact.id, split: split.split }
  const found = useRobustness(of)
  const test = useRobustnessTest(of)
  const cancel = useRobustnessCancel(of)
  const { report, job } = found.data ?? { report: null, job: null }
  const running = job && isWorking(job.state) ? job : null
  const failure = job?.state === 'failed' && job.error ? failureText(job.error) : null
  const canTest = canAct && !split.is_learned && !running
  return (
    <Section title={t('robustness.title')} help={t('robustness.help')}>
      <Stack gap="sm" align="stretch">
        {found.isPending && <LoadingState />}
        {found.error && <ErrorState error={found.error} />}
        {found.data && !report && !running && (
          <Text size="sm">
            {t(split.is_learned ? 'robustness.learned' : 'robustness.none', { split: t(`charts:split.${split.split}`) })}
          </Text>
        )}
        {failure && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={t('robustness.failed')}>
            {failure.message} {failure.hint}
          </Alert>
        )}
        {test.error && <ErrorState error={test.error} />}
        {running && (
          <Group wrap="nowrap" align="flex-end" data-no-print>
            <div style={{ flex: 1, minWidth: 0 }}>
              <Progress
                fraction={running.progress_fraction}
                remainingSeconds={running.remaining_s}
                label={t(running.state === 'running' ? 'robustness.running' : 'robustness.waiting')}
              />
            </div>
            {canAct && (
              <Button variant="default" disabled={running.is_stopping} loading={cancel.isPending} onClick={() => cancel.mutate(running.id)}>
                {t('common:cancel')}
              </Button>
            )}
          </Group>
        )}
        {report && <RobustnessTable report={report} />}
        {canTest && found.data && (
          <Group data-no-print>
            <Button size="compact-sm" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {t(report ? 'robustness.again' : 'robustness.test')}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

export default { name: 'robustness', Chart } satisfies ReportChart
