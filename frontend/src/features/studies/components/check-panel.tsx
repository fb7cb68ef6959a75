import { Alert, Button, Group, List, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatEstimate } from '../../../charts/format/format'
import type { Job } from '../../../lib/api/types'
import { afterMutation } from '../../../lib/after-mutation'
import { useFailureText } from '../../../lib/failure-text'
import { formatBytes } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import { useModelName } from '../../../lib/project/task'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { ProblemList } from '../../../ui/problem-list'
import { Progress } from '../../../ui/progress'
import { Section } from '../../../ui/section'
import { useCancelPreflight, useCurePreflight, usePreflight } from '../api/preflight'
import type { CheckedStage, CheckedTrial, Cure, CuredSettings, Preflight } from '../api/types'
import { basisKey, isTimed, isTried, isUnderWay } from '../model/preflight'
import { CureProgress } from './cure-progress'
import { FailedItems } from './failed-items'

interface CheckPanelProps {
  project: string
  preflight: string
  /** Whether the form has changed since. */
  isOutdated: boolean
  onCured: (settings: CuredSettings) => void
}

/** What the check of a training found: whether it will run, how long, with how much memory, and what cures what it would meet. */
export function CheckPanel({ project, preflight, isOutdated, onCured }: CheckPanelProps) {
  const { t } = useTranslation('studies')
  const found = usePreflight(preflight)
  return (
    <Section title={t('check.title')} help={t('check.help')}>
      <div aria-live="polite">
        {found.isPending && <LoadingState rows={2} height={28} />}
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && isUnderWay(found.data) && <Running preflight={found.data} />}
        {found.data && !isUnderWay(found.data) && (
          <Stack gap="sm" style={{ opacity: isOutdated ? 0.6 : 1 }}>
            {isOutdated && <Text size="sm">{t('check.outdated')}</Text>}
            <Found project={project} preflight={found.data} onCured={onCured} />
          </Stack>
        )}
      </div>
    </Section>
  )
}

function Running({ preflight }: { preflight: Preflight }) {
  const { t, i18n } = useTranslation(['studies', 'jobs'])
  const cancel = useCancelPreflight(preflight.id)
  const { state, stage, progress_fraction, is_stopping } = preflight.job
  const key = `jobs:stage.${stage}`
  const label =
    state === 'queued' || !stage
      ? t('check.waiting')
      : t('check.running', { stage: i18n.exists(key) ? t(key as 'jobs:stage.train') : stage })
  return (
    <Group wrap="nowrap" align="flex-end">
      <div style={{ flex: 1, minWidth: 0 }}>
        <Progress fraction={progress_fraction} label={label} />
      </div>
      <Button variant="default" size="xs" loading={cancel.isPending} disabled={is_stopping} onClick={() => cancel.mutate()}>
        {t('check.cancel')}
      </Button>
    </Group>
  )
}

const COLORS = { runs: 'teal', partly: 'yellow', fails: 'red', unknown: 'yellow' } as const

function Found({ project, preflight, onCured }: Pick<CheckPanelProps, 'project' | 'onCured'> & { preflight: Preflight }) {
  const { t } = useTranslation('studies')
  const { verdict, problems, trials } = preflight
  if (verdict === null) return <Text size="sm">{t('check.cancelled')}</Text>
  const blocking = problems.filter(({ severity }) => severity === 'blocking')
  const isAllTried = trials.every(isTried)
  const advisory = problems.filter(({ severity }) => severity !== 'blocking')
  return (
    <>
      <Alert
        color={COLORS[verdict]}
        icon={verdict === 'runs' ? <IconCheck size={18} /> : <IconAlertTriangle size={18} />}
        title={t(`check.verdict.${verdict === 'runs' && !isAllTried ? 'runs_so_far' : verdict}`)}
      >
        <Stack gap="xs">
          {verdict === 'unknown' && <Text size="sm">{t('check.unknown_text')}</Text>}
          <Failure project={project} preflight={preflight} onCured={onCured} />
          <Figures preflight={preflight} />
        </Stack>
      </Alert>
      <ProblemList isBlocking title={t('check.blocking')} problems={blocking} />
      <ProblemList isBlocking={false} title={t('check.advisory')} problems={advisory} />
      {trials.length > 0 && <CheckedTrials trials={trials} />}
    </>
  )
}

/** How long and how much memory, and what both rest on. */
function Figures({ preflight }: { preflight: Preflight }) {
  const { t } = useTranslation('studies')
  const { estimated_s, estimated_cpu_s, memory_bytes, trials, num_items, num_read } = preflight
  const tried = trials.filter(isTried).length
  const memory = formatBytes(memory_bytes ?? 0)
  const [least, most] = [formatEstimate(preflight.least_s), formatEstimate(preflight.most_s)]
  const isOneValue = preflight.time_basis === 'measured' || least === most
  return (
    <List size="sm" spacing={2}>
      {estimated_s !== null && (
        <>
          <List.Item>
            {isOneValue
              ? t('check.estimate', { time: formatEstimate(estimated_s), memory })
              : t('check.estimate_between', { least, most, memory })}
          </List.Item>
          {estimated_cpu_s !== null && <List.Item>{t('check.estimate_cpu', { time: formatEstimate(estimated_cpu_s) })}</List.Item>}
          <List.Item>{t(`check.${basisKey(preflight)}`, { measured: trials.filter(isTimed).length, total: trials.length })}</List.Item>
          {preflight.memory_basis !== 'measured' && <List.Item>{t(`check.memory_${preflight.memory_basis ?? 'planned'}`)}</List.Item>}
        </>
      )}
      {trials.length > 0 && tried < trials.length && (
        <List.Item>{t('check.tried', { tried, total: trials.length, count: trials.length })}</List.Item>
      )}
      {num_items > 0 && !preflight.failure.num_items && (
        <List.Item>
          {num_read === num_items
            ? t('check.read_all', { total: num_items, count: num_items })
            : t('check.read_looked', { read: num_read, total: num_items, count: num_items })}
        </List.Item>
      )}
    </List>
  )
}

function Failure({ project, preflight, onCured }: Pick<CheckPanelProps, 'project' | 'onCured'> & { preflight: Preflight }) {
  const { t } = useTranslation('studies')
  const failureText = useFailureText()
  const { failure, trials, job } = preflight
  const error = trials.flatMap(({ stages }) => stages).find(({ outcome }) => outcome === 'failed')?.error ?? job.error
  if (!failure.code || !error) return null
  const { message, hint, detail } = failureText({ code: error.code, message: error.message, hint: error.hint })
  return (
    <>
      <Text size="sm">{message}</Text>
      {(detail || hint) && <Text size="sm">{hint || detail}</Text>}
      {failure.items.length > 0 && (
        <FailedItems
          project={project}
          title={t('check.concerned', { count: failure.num_items })}
          items={failure.items}
          count={failure.num_items}
        />
      )}
      {failure.cures
        .filter(({ page, name }) => page === null && name !== 'again')
        .map((cure, place) => (
          <CureRow key={cure.name} preflight={preflight.id} cure={cure} isFirst={place === 0} onCured={onCured} />
        ))}
    </>
  )
}

/** A button that changes the form, and what it will change. */
function CureRow({
  preflight,
  cure,
  isFirst,
  onCured,
}: {
  preflight: string
  cure: Cure
  isFirst: boolean
  onCured: CheckPanelProps['onCured']
}) {
  const { t, i18n } = useTranslation('studies')
  const own = `check.apply.${cure.name}`
  const text = useLocalText()
  const failureText = useFailureText()
  const apply = useCurePreflight(preflight)
  const [waiting, setWaiting] = useState<CuredSettings | null>(null)
  const [failed, setFailed] = useState<Job | null>(null)
  const change = useCallback(
    (settings: CuredSettings) => {
      onCured(settings)
      notifyDone(t('check.applied'))
    },
    [onCured, t],
  )
  const onEnded = useCallback(
    (job: Job) => {
      setWaiting(null)
      if (waiting && job.made) change({ ...waiting, version: job.made })
      else setFailed(job)
    },
    [waiting, change],
  )
  const press = () => afterMutation(apply.mutateAsync(cure.name), (settings) => (settings.job ? setWaiting(settings) : change(settings)))
  if (waiting?.job) return <CureProgress job={waiting.job.id} label={t('check.working')} onEnded={onEnded} />
  return (
    <Stack gap={4} align="flex-start">
      {failed?.error && <Text size="sm">{t('cure.failed', { reason: failureText(failed.error).message })}</Text>}
      <Button variant={isFirst ? 'filled' : 'default'} size="xs" loading={apply.isPending} onClick={press}>
        {i18n.exists(`studies:${own}`) ? t(own as 'check.apply.leave_items_out') : text(cure.title)}
      </Button>
      <div role="group" aria-label={t('cure.changes')}>
        {cure.changes.map((sentence) => (
          <Text key={sentence.en} size="sm">
            {text(sentence)}
          </Text>
        ))}
      </div>
    </Stack>
  )
}

function CheckedTrials({ trials }: { trials: readonly CheckedTrial[] }) {
  const { t } = useTranslation('studies')
  const modelName = useModelName()
  return (
    <Table aria-label={t('check.table')} fz="sm" verticalSpacing={4} horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th pl={0}>{t('check.column.model')}</Table.Th>
          <Table.Th>{t('check.column.stages')}</Table.Th>
          <Table.Th ta="right">{t('check.column.time')}</Table.Th>
          <Table.Th ta="right" pr={0}>
            {t('check.column.memory')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {trials.map((trial) => (
          <Table.Tr key={`${trial.family} ${trial.size}`}>
            <Table.Td pl={0}>{modelName(trial.family, trial.size)}</Table.Td>
            <Table.Td>
              <Group gap={0} wrap="nowrap">
                {trial.stages.map((stage) => (
                  <StageMark key={stage.stage} stage={stage} />
                ))}
              </Group>
            </Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
              {trial.is_rough ? t('check.rough', { time: formatEstimate(trial.estimated_s) }) : formatEstimate(trial.estimated_s)}
            </Table.Td>
            <Table.Td ta="right" pr={0} style={{ whiteSpace: 'nowrap' }}>
              {trial.memory_bytes === null ? '–' : formatBytes(trial.memory_bytes)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const MARKS = {
  passed: { Icon: IconCheck, color: 'var(--mantine-color-teal-6)' },
  failed: { Icon: IconX, color: 'var(--mantine-color-red-6)' },
  not_reached: { Icon: IconMinus, color: 'var(--mantine-color-dimmed)' },
} as const

function StageMark({ stage }: { stage: CheckedStage }) {
  const { t } = useTranslation('studies')
  const { Icon, color } = MARKS[stage.outcome]
  const label = t('check.stage_of', { stage: t(`check.stage.${stage.stage}`), outcome: t(`check.outcome.${stage.outcome}`) })
  return (
    <span title={label} style={{ display: 'inline-flex' }}>
      <Icon size={15} color={color} aria-hidden />
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  )
}
