import { Alert, Button, Code, Drawer, Group, Stack, Table, Text } from '@mantine/core'
import { IconBox, IconFileText } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatDuration, formatMetric } from '../../../charts/format/format'
import { LearningCurves } from '../../../charts/learning-curves/learning-curves'
import { useFailureText, useWarningText } from '../../../lib/failure-text'
import { useModelName } from '../../../lib/project/task'
import { StateBadge } from '../../../ui/state-badge'
import { useSetting } from '../../../ui/use-setting'
import { useTrialJob } from '../api/get-job'
import type { Study, Trial } from '../api/types'
import { shownNumber, toCurve, tookSeconds } from '../model/trial-rows'
import { Cures } from './failure-alert'
import { ValueInterval } from './value-interval'

interface TrialDrawerProps {
  study: Study
  trial: Trial | null
  onClose: () => void
}

/** One trial in full: how it learned, with which settings, why it failed, where its log and its model are. */
export function TrialDrawer({ study, trial, onClose }: TrialDrawerProps) {
  const { t } = useTranslation('studies')
  return (
    <Drawer
      opened={trial !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={trial && (trial.members ? t('trial.shipped') : t('trial.title', { number: shownNumber(trial) }))}
    >
      {trial && <TrialBody study={study} trial={trial} />}
    </Drawer>
  )
}

function TrialBody({ study, trial }: { study: Study; trial: Trial }) {
  const { t } = useTranslation('studies')
  const modelName = useModelName()
  const failureText = useFailureText()
  const failure = trial.error && failureText(trial.error)
  const setting = useSetting()
  const base = `/projects/${study.project}`
  return (
    <Stack>
      <Group>
        <StateBadge state={trial.state} />
        <Text size="sm">{modelName(trial.train.family, trial.train.size, trial.members?.length)}</Text>
        <Text size="sm" fw={600}>
          {formatMetric(study.objective.name, trial.value)}
        </Text>
        <ValueInterval study={study} trial={trial} />
      </Group>
      {failure && (
        <Alert color="red" title={t('trial.error')}>
          <Stack gap="sm">
            <div>
              <Text size="sm">{failure.message}</Text>
              {failure.hint && <Text size="sm">{failure.hint}</Text>}
              <Code mt={4}>{[failure.code, failure.detail].filter(Boolean).join(': ')}</Code>
            </div>
            <Cures study={study} trial={trial.id} />
          </Stack>
        </Alert>
      )}
      <TrialWarnings trial={trial} />
      <Group gap="xs">
        {trial.artefact && (
          <Button component={Link} to={`${base}/models/${trial.artefact}`} leftSection={<IconBox size={16} />}>
            {t('trial.model')}
          </Button>
        )}
        {trial.job && (
          <Button component={Link} to={`${base}/jobs?job=${trial.job}`} variant="default" leftSection={<IconFileText size={16} />}>
            {t('trial.log')}
          </Button>
        )}
      </Group>
      <LearningCurves curves={[toCurve(trial, '')]} metric={study.objective.name} height_px={220} isOver={trial.ended_at !== null} />
      {trial.cpu_s !== null && trial.ended_at !== null && (
        <Text size="xs" c="dimmed">
          {t('trial.took', {
            time: formatDuration(tookSeconds(trial, Date.parse(trial.ended_at))),
            cpu: formatDuration(trial.cpu_s),
          })}
        </Text>
      )}
      {trial.evidence && (
        <Text size="xs" c="dimmed">
          {t(trial.evidence.by === 'folds' ? 'trial.judged_folds' : 'trial.judged_split', {
            count: trial.evidence.num_items,
            folds: trial.evidence.num_folds,
          })}
        </Text>
      )}
      <Pairs
        title={t(trial.evidence?.by === 'folds' ? 'trial.values_folds' : 'trial.values')}
        pairs={metricPairs(trial, (name) => t(`charts:metric.${name}`, name))}
      />
      <Pairs
        title={t('trial.params')}
        pairs={Object.entries(trial.train.params).map(([name, value]) => setting(trial.train.family, name, value))}
      />
    </Stack>
  )
}

function metricPairs(trial: Trial, titleOf: (name: string) => string): [string, string][] {
  return Object.entries(trial.values).map(([name, value]) => [titleOf(name), formatMetric(name, value)])
}

function TrialWarnings({ trial }: { trial: Trial }) {
  const { t } = useTranslation('studies')
  const warningText = useWarningText()
  const job = useTrialJob(trial.job, trial.state === 'running')
  const warnings = job.data?.warnings ?? []
  if (!warnings.length) return null
  return (
    <Alert color="yellow" title={t('trial.warnings')}>
      {warnings.map((warning, index) => (
        <Text key={index} size="sm">
          {warningText(warning)}
        </Text>
      ))}
    </Alert>
  )
}

function Pairs({ title, pairs }: { title: string; pairs: readonly [string, string][] }) {
  if (!pairs.length) return null
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <Table fz="sm" verticalSpacing={3} highlightOnHover={false}>
        <Table.Tbody>
          {pairs.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td c="dimmed" pl={0}>
                {name}
              </Table.Td>
              <Table.Td ta="right" pr={0}>
                {value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
