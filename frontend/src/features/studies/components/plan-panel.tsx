import { Anchor, Button, Group, List, Stack, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatEstimate } from '../../../charts/format/format'
import { formatBytes } from '../../../lib/format'
import { useModelName } from '../../../lib/project/task'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { ProblemList } from '../../../ui/problem-list'
import { Section } from '../../../ui/section'
import { useStudyPlan } from '../api/plan-study'
import type { StudyPlan } from '../api/types'
import { planSummary } from '../model/plan-summary'
import type { PlanRequest } from '../model/study-form'

interface PlanPanelProps {
  request: PlanRequest
  isComplete: boolean
  isStarting: boolean
  startError: unknown
  isChecking: boolean
  checkError: unknown
  onCheck: () => void
}

/** What will run, what will not fit and how long it will take; the button stands below. */
export function PlanPanel({ request, isComplete, isStarting, startError, isChecking, checkError, onCheck }: PlanPanelProps) {
  const { t } = useTranslation('studies')
  const [debounced] = useDebouncedValue(request, 300)
  const plan = useStudyPlan(debounced, isComplete)
  const blocking = plan.data?.blocking ?? []
  const isReady = plan.isSuccess && !plan.isPlaceholderData && blocking.length === 0
  return (
    <Section title={t('plan.title')}>
      <Stack>
        {plan.isPending && isComplete && <LoadingState rows={3} height={28} />}
        {plan.isError && <ErrorState error={plan.error} onRetry={() => void plan.refetch()} />}
        {plan.data && (
          <div style={{ opacity: plan.isPlaceholderData ? 0.5 : 1 }}>
            <ProblemList isBlocking title={t('plan.blocked')} problems={blocking} />
            <PlanNumbers plan={plan.data} request={debounced} />
            <PlanTable plan={plan.data} />
          </div>
        )}
        {startError != null && <ErrorState error={startError} />}
        {checkError != null && <ErrorState error={checkError} />}
        <Group gap="sm" grow>
          <Button type="submit" size="sm" loading={isStarting} disabled={!isReady}>
            {t('form.submit')}
          </Button>
          <Button variant="default" size="sm" loading={isChecking} disabled={!isComplete} title={t('check.help')} onClick={onCheck}>
            {t('check.button')}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}

function PlanNumbers({ plan, request }: { plan: StudyPlan; request: PlanRequest }) {
  const { t } = useTranslation('studies')
  const summary = planSummary(plan.trials, request.max_trials, request.concurrency)
  if (summary.num_known + summary.num_searched === 0) return <Text size="sm">{t('plan.none')}</Text>
  return (
    <>
      <Text size="xl" fw={600} lh={1.2}>
        {t('plan.time', { time: formatEstimate(plan.estimated_s) })}
      </Text>
      <List size="sm" c="dimmed" my="xs" spacing={2}>
        <List.Item>{request.strategy === 'single' ? t('plan.single') : t('plan.known', { count: summary.num_known })}</List.Item>
        {summary.num_searched > 0 && <List.Item>{t('plan.searched', { count: summary.num_searched })}</List.Item>}
        {summary.num_too_large > 0 && <List.Item>{t('plan.too_large_count', { count: summary.num_too_large })}</List.Item>}
        {plan.refit_s > 0 && <List.Item>{t('plan.refit', { time: formatEstimate(plan.refit_s) })}</List.Item>}
        {request.num_hosts !== undefined && (
          <>
            <List.Item>
              {t('plan.hosts', { number: request.num_hosts, processes: request.num_processes ?? 1, names: plan.hosts.join(', ') || '–' })}
            </List.Item>
            <List.Item>{t('plan.hosts_wait', { minutes: Math.round(plan.gather_s / 60) })}</List.Item>
          </>
        )}
        <List.Item>{t('plan.memory', { memory: formatBytes(summary.memory_bytes) })}</List.Item>
      </List>
    </>
  )
}

function PlanTable({ plan }: { plan: StudyPlan }) {
  const { t } = useTranslation('studies')
  const modelName = useModelName()
  return (
    <Table aria-label={t('plan.table_caption')} fz="sm" verticalSpacing={4}>
      <Table.Tbody>
        {plan.trials.map((trial, index) => (
          <Table.Tr key={index} c={trial.fits ? undefined : 'dimmed'}>
            <Table.Td pl={0}>
              {modelName(trial.family, trial.size)}
              {trial.num_windows > 1 && (
                <Text size="xs" c="dimmed">
                  {t('plan.windows', { count: Math.round(trial.num_windows) })}
                </Text>
              )}
              {trial.warm_start && (
                <Text size="xs" c="dimmed">
                  {t('plan.warm')}{' '}
                  <Anchor component={Link} inherit to={`/projects/${trial.warm_start.project}/studies/${trial.warm_start.id}`}>
                    {trial.warm_start.name}
                  </Anchor>
                </Text>
              )}
            </Table.Td>
            <Table.Td pr={0} ta="right" style={{ whiteSpace: 'nowrap' }}>
              {trial.fits ? formatEstimate(trial.estimated_s) : t('plan.too_large')}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
