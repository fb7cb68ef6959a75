import { Anchor, Group, Paper, Progress, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatDuration, formatEstimate, formatMetric, formatNumber } from '../../../charts/format/format'
import { isTooFew } from '../../../lib/listed-metric'
import { useLocalText } from '../../../lib/local-text'
import { useModelName } from '../../../lib/project/task'
import { useRunning } from '../api/get-job'
import { useGain } from '../api/get-studies'
import type { Study, Trial } from '../api/types'
import { endedTrials } from '../model/study-facts'
import { leadingTrial, outvaluedBy, shownNumber } from '../model/trial-rows'
import { FailureAlert } from './failure-alert'
import classes from './study-summary.module.css'

interface StudySummaryProps {
  study: Study
  trials: readonly Trial[]
  onOpen: (trial: string) => void
}

/** The best so far and how far the study is. */
export function StudySummary({ study, trials, onOpen }: StudySummaryProps) {
  const { t, i18n } = useTranslation('studies')
  const text = useLocalText()
  const modelName = useModelName()
  const best = trials.find((trial) => trial.id === study.best_trial)
  const leading = best ? null : leadingTrial(trials, study.objective.name, study.objective.is_higher_better)
  const judged = trials.find((trial) => trial.id === (study.judged_trial ?? study.best_trial))
  const done = endedTrials(study.counts)
  const higher = outvaluedBy(study, trials, (value) => formatMetric(study.objective.name, value))
  return (
    <>
      <FailureAlert study={study} />
      <Paper>
        <div className={classes.root}>
          <div>
            <Text size="xs" c="dimmed">
              {t(
                study.chosen_trial
                  ? 'detail.chosen'
                  : study.state === 'running'
                    ? 'detail.best'
                    : higher
                      ? 'detail.kept'
                      : 'detail.best_ended',
              )}{' '}
              · {text(study.objective.title)}
            </Text>
            <BestValue
              study={study}
              value={study.best_value ?? leading?.value ?? null}
              isLeading={leading !== null}
              numJudged={judged?.evidence?.num_items}
            />
            {study.best_interval && (
              <Text size="xs" c="dimmed">
                {t('detail.interval', {
                  low: formatMetric(study.objective.name, study.best_interval[0]),
                  high: formatMetric(study.objective.name, study.best_interval[1]),
                })}
              </Text>
            )}
            {best ? (
              <Group gap={10}>
                <UnstyledButton className={classes.link} onClick={() => onOpen(best.id)}>
                  {best.members ? t('trial.shipped') : t('trial.title', { number: shownNumber(best) })} ·{' '}
                  {modelName(best.train.family, best.train.size, best.members?.length)}
                </UnstyledButton>
                {best.artefact && (
                  <Anchor component={Link} to={`/projects/${study.project}/models/${best.artefact}`} size="sm">
                    {t('detail.open_model')}
                  </Anchor>
                )}
              </Group>
            ) : (
              <Text size="sm" c="dimmed">
                {leading ? t('detail.leading', { number: shownNumber(leading.trial) }) : t('detail.best_none')}
              </Text>
            )}
          </div>
          <Stack gap={6} className={classes.progress}>
            <Group justify="space-between">
              <Text size="sm">{t('detail.trials_done', { done, total: study.max_trials })}</Text>
              <Text size="sm" c="dimmed">
                {study.estimated_remaining_s !== null && study.state === 'running'
                  ? t('common:remaining', { time: formatEstimate(study.estimated_remaining_s) })
                  : ''}
              </Text>
            </Group>
            <TrialProgress study={study} trials={trials} />
            {study.paused_at && (
              <Text size="sm">
                {t('detail.paused_since', { time: new Date(study.paused_at).toLocaleString(i18n.language) })}{' '}
                {study.time_limit_s !== null && t('detail.paused_limit')}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {t('detail.concurrency', { count: study.concurrency })}
              {study.num_hosts > 1 && ` · ${t('detail.num_hosts', { count: study.num_hosts })}`}
              {study.num_processes > 1 && ` · ${t('detail.num_processes', { count: study.num_processes })}`}
              {study.pruner !== 'none' && ` · ${t('detail.pruned', { name: t(`pruner.${study.pruner}`, study.pruner) })}`}
              {study.time_limit_s !== null && ` · ${t('detail.time_limit', { time: formatDuration(study.time_limit_s) })}`}
              {study.target !== null && ` · ${t('detail.target', { value: formatMetric(study.objective.name, study.target) })}`}
              {' · '}
              <Anchor component={Link} to={`/projects/${study.project}/versions/${study.version}`} size="xs">
                {t('detail.version')}
              </Anchor>
              {study.warm_studies.length > 0 && ` · ${t('detail.warm', { count: study.warm_studies.length })}`}
              {study.cured_from && (
                <>
                  {' · '}
                  <Anchor component={Link} to={`/projects/${study.project}/studies/${study.cured_from.id}`} size="xs">
                    {t('cure.from', { name: study.cured_from.name })}
                  </Anchor>
                </>
              )}
              {study.start_from && (
                <>
                  {' · '}
                  <Anchor component={Link} to={`/projects/${study.start_from.project}/models/${study.start_from.id}`} size="xs">
                    {t('detail.started_from', { number: study.start_from.number })}
                  </Anchor>
                </>
              )}
            </Text>
          </Stack>
        </div>
        <ShippingNotes study={study} trials={trials} />
      </Paper>
    </>
  )
}

/** The value of the best; of one that few items judged, that they are too few, beside its interval. */
function BestValue({ study, value, isLeading, numJudged }: { study: Study; value: number | null; isLeading: boolean; numJudged?: number }) {
  const { t } = useTranslation('charts')
  const shown = formatMetric(study.objective.name, value)
  if (!isTooFew(numJudged)) {
    return (
      <Text className={classes.value} c={isLeading ? 'dimmed' : undefined}>
        {shown}
      </Text>
    )
  }
  return (
    <Tooltip label={t('interval.too_few_help', { count: numJudged })} multiline maw={280}>
      <Text fw={600}>
        {t('interval.too_few')}
        <Text span c="dimmed" size="sm" ml={8}>
          {shown}
        </Text>
      </Text>
    </Tooltip>
  )
}

/** Which trials the evidence cannot distinguish, why the study ended, and how the shipped model was made. */
function ShippingNotes({ study, trials }: Pick<StudySummaryProps, 'study' | 'trials'>) {
  const { t } = useTranslation('studies')
  const judgedTrial = trials.find((trial) => trial.id === study.judged_trial)
  const value = (of: number | null) => formatMetric(study.objective.name, of)
  const higher = outvaluedBy(study, trials, value)
  const isMean = (trials.find((trial) => trial.id === study.best_trial)?.members?.length ?? 0) > 1
  return (
    <Stack gap={2} mt="sm">
      {higher && isWithin(higher.value, study.best_interval) && (
        <Text size="sm">
          {t('detail.outvalued', { number: shownNumber(higher), value: value(higher.value), kept: value(study.best_value) })}
        </Text>
      )}
      {judgedTrial && !study.chosen_trial && study.equal_trials.length > 1 && (
        <Text size="sm">
          {t(isMean ? 'detail.equal_mean' : 'detail.equal', { count: study.equal_trials.length, number: shownNumber(judgedTrial) })}
        </Text>
      )}
      {study.ended_by === 'time_limit' && <Text size="sm">{t('detail.ended_time_limit')}</Text>}
      {study.ended_by === 'finish' && <Text size="sm">{t('detail.ended_finish')}</Text>}
      {study.ended_by === 'target' && <Text size="sm">{t('detail.ended_target')}</Text>}
      <SearchGain study={study} trials={trials} />
      {study.judged_trial && study.shipping !== 'judged' && (
        <Text size="sm" c={study.shipping === 'failed' ? 'orange' : 'dimmed'}>
          {t(`${study.also_improves.length ? 'shipping_one' : 'shipping'}.${study.shipping}`)}
        </Text>
      )}
    </Stack>
  )
}

const isWithin = (value: number | null, interval: readonly number[] | null) =>
  value !== null && interval !== null && Math.min(...interval) <= value && value <= Math.max(...interval)

/** One bar for all trials, by how they ended and how far those that run are; below it what these are doing. */
function TrialProgress({ study, trials }: Pick<StudySummaryProps, 'study' | 'trials'>) {
  const { t } = useTranslation('studies')
  const running = trials.filter(({ state }) => state === 'running')
  const parts = useRunning(running.map(({ job }) => job))
  const share = (count: number) => (count / Math.max(1, study.max_trials)) * 100
  const { counts } = study
  const stages = running.flatMap((trial, place) => {
    const stage = parts[place]?.stage
    const name = trial.members ? t('trial.shipped') : t('trial.title', { number: shownNumber(trial) })
    return stage && !study.paused_at ? [t('detail.at_stage', { name, stage: t(`trial.stage.${stage}`, stage) })] : []
  })
  return (
    <>
      <Progress.Root size="md">
        <Progress.Section value={share(counts.succeeded)} color="teal" />
        <Progress.Section value={share(counts.pruned)} color="orange" />
        <Progress.Section value={share(counts.failed)} color="red" />
        <Progress.Section value={share(counts.cancelled)} color="gray" />
        <Progress.Section
          value={share(parts.reduce((sum, { done }) => sum + done, 0))}
          color="accent"
          striped
          animated={!study.paused_at}
        />
      </Progress.Root>
      {stages.length > 0 && <Text size="sm">{stages.join(' · ')}</Text>}
    </>
  )
}

/** How far the search came beyond the settings that need none. */
function SearchGain({ study, trials }: Pick<StudySummaryProps, 'study' | 'trials'>) {
  const { t } = useTranslation('studies')
  const gain = useGain(study.id, study.counts.succeeded).data
  const first = trials.find((trial) => trial.id === gain?.default_trial)
  if (!gain || !first || gain.value === null || study.counts.succeeded < 2) return null
  if (gain.default_trial === gain.best_trial)
    return <Text size="sm">{t(study.state === 'running' ? 'gain.none_yet' : 'gain.none', { number: shownNumber(first) })}</Text>
  // A difference of shares is one of percentage points.
  const isShare = study.objective.unit === 'fraction'
  const amount = (value: number) => (isShare ? formatNumber(Math.round(value * 1000) / 10) : formatMetric(study.objective.name, value))
  const signed = (value: number) => (value > 0 ? '+' : '') + amount(value)
  const value = isShare ? t('gain.points', { value: signed(gain.value) }) : signed(gain.value)
  return (
    <Text size="sm">
      {t('gain.text', { number: shownNumber(first), value })}
      {gain.interval && t('gain.interval', { low: signed(gain.interval[0] ?? 0), high: signed(gain.interval[1] ?? 0) })}
    </Text>
  )
}
