import { Badge, Checkbox, Progress, Table, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatDuration, formatMetric } from '../../../charts/format/format'
import { Sparkline } from '../../../charts/sparkline/sparkline'
import { useModelName } from '../../../lib/project/task'
import { type Sort, sorted, type SortValue } from '../../../lib/sort'
import { useNow } from '../../../lib/use-now'
import { SortHead } from '../../../ui/sort-head'
import { StateBadge } from '../../../ui/state-badge'
import { useSetting } from '../../../ui/use-setting'
import { useTrialJob } from '../api/get-job'
import type { Study, Trial } from '../api/types'
import { changedParams } from '../model/changed-params'
import { learningValues, outvaluedBy, shownNumber, tookSeconds } from '../model/trial-rows'
import classes from './trial-table.module.css'
import { ValueInterval } from './value-interval'

interface TrialTableProps {
  study: Study
  trials: readonly Trial[]
  selected: ReadonlySet<string>
  onToggle: (trial: string) => void
  onOpen: (trial: string) => void
}

/** All trials, live. The box lays a trial's curve over the others, the name opens it. */
export function TrialTable({ study, trials, selected, onToggle, onOpen }: TrialTableProps) {
  const { t } = useTranslation('studies')
  const modelName = useModelName()
  const clock_ms = useNow(study.state === 'running' ? 1000 : null)
  const now_ms = study.paused_at ? Date.parse(study.paused_at) : clock_ms
  const [sort, onSort] = useState<Sort | null>(null)
  const sortValues: Record<string, (trial: Trial) => SortValue> = {
    number: ({ number }) => number,
    value: ({ value }) => value,
    time: (trial) => tookSeconds(trial, now_ms),
  }
  const sortValue = sort && sortValues[sort.column]
  const shown = sortValue ? sorted(trials, sortValue, sort.isDescending) : trials
  const isOutvalued = outvaluedBy(study, trials, (value) => formatMetric(study.objective.name, value)) !== null
  const varying = changedParams(trials.filter((trial) => !trial.members).map((trial) => trial.train.params))
  if (!trials.length) {
    return (
      <Text size="sm" c="dimmed">
        {t('detail.no_trials')}
      </Text>
    )
  }
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table aria-label={t('detail.trials')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36} aria-label={t('trial.column.select')} />
            <SortHead column="number" {...{ sort, onSort }}>
              {t('trial.column.number')}
            </SortHead>
            <Table.Th>{t('trial.column.state')}</Table.Th>
            <Table.Th>{t('trial.column.params')}</Table.Th>
            <Table.Th>{t('trial.column.curve')}</Table.Th>
            <SortHead column="value" align="right" isDescendingFirst={study.objective.is_higher_better} {...{ sort, onSort }}>
              {t('trial.column.value')}
            </SortHead>
            <SortHead column="time" align="right" {...{ sort, onSort }}>
              {t('trial.column.time')}
            </SortHead>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((trial) => (
            <Table.Tr key={trial.id}>
              <Table.Td>
                <Checkbox
                  size="xs"
                  aria-label={t('trial.select', { number: shownNumber(trial) })}
                  checked={selected.has(trial.id)}
                  onChange={() => onToggle(trial.id)}
                />
              </Table.Td>
              <Table.Td>
                <UnstyledButton className={classes.name} onClick={() => onOpen(trial.id)}>
                  {trial.members ? t('trial.shipped') : shownNumber(trial)} ·{' '}
                  {modelName(trial.train.family, trial.train.size, trial.members?.length)}
                </UnstyledButton>{' '}
                <TrialMarks study={study} trial={trial} isOutvalued={isOutvalued} />
              </Table.Td>
              <Table.Td className={classes.state}>
                <TrialState study={study} trial={trial} />
              </Table.Td>
              <Table.Td>
                <ParamWords trial={trial} varying={varying} />
              </Table.Td>
              <Table.Td>
                <Sparkline values={learningValues(trial, study.objective.name)} title={t('trial.curve', { number: shownNumber(trial) })} />
              </Table.Td>
              <Table.Td ta="right" className={classes.number}>
                {formatMetric(study.objective.name, trial.value)}
                <ValueInterval study={study} trial={trial} />
              </Table.Td>
              <Table.Td ta="right" className={classes.number}>
                {formatDuration(tookSeconds(trial, now_ms))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The best trial, those the evidence cannot distinguish from it, and how many are not listed. */
function TrialMarks({ study, trial, isOutvalued }: { study: Study; trial: Trial; isOutvalued: boolean }) {
  const { t } = useTranslation('studies')
  const isEqual = study.equal_trials.length > 1 && study.equal_trials.includes(trial.id)
  return (
    <>
      {trial.id === study.best_trial && (
        <Badge color="teal">{t(study.chosen_trial ? 'trial.is_chosen' : isOutvalued ? 'trial.is_kept' : 'trial.is_best')}</Badge>
      )}{' '}
      {trial.id !== study.best_trial && isEqual && (
        <Tooltip label={t('trial.is_equal_help')} multiline maw={320}>
          <Badge color="gray" variant="light">
            {t('trial.is_equal')}
          </Badge>
        </Tooltip>
      )}{' '}
      {trial.evidence?.halted && (
        <Tooltip label={t('trial.is_cut_off_help')} multiline maw={320}>
          <Badge color="orange" variant="light">
            {t('trial.is_cut_off')}
          </Badge>
        </Tooltip>
      )}
    </>
  )
}

function TrialState({ study, trial }: { study: Study; trial: Trial }) {
  if (study.paused_at && !trial.ended_at) return <StateBadge state="paused" />
  return trial.state === 'running' ? <RunningTrial trial={trial} /> : <StateBadge state={trial.state} />
}

function RunningTrial({ trial }: { trial: Trial }) {
  const { t } = useTranslation('studies')
  const job = useTrialJob(trial.job, true)
  const stage = job.data?.stage
  return (
    <>
      <Text size="xs" c="dimmed" truncate>
        {stage ? t(`trial.stage.${stage}`, stage) : t('state.running')}
      </Text>
      <Progress value={(job.data?.progress_fraction ?? 0) * 100} size="sm" animated aria-label={t('state.running')} />
    </>
  )
}

function ParamWords({ trial, varying }: { trial: Trial; varying: readonly string[] }) {
  const setting = useSetting()
  const words = varying
    .flatMap((name) => {
      const value = trial.train.params[name]
      return value === undefined ? [] : [setting(trial.train.family, name, value).join(' ')]
    })
    .join(' · ')
  return (
    <Text size="xs" c="dimmed" lineClamp={1} title={words} maw={320}>
      {words}
    </Text>
  )
}
