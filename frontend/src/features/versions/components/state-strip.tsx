import { Alert, Anchor, Badge, Button, Group, Menu, Paper, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconChevronDown, IconGitBranch, IconGitCompare } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { usePersonName } from '../../../lib/session/people'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Progress } from '../../../ui/progress'
import { RelativeTime } from '../../../ui/relative-time'
import { useDiff, WORKING } from '../api/diff'
import { type Step, useBranches, useLastRestore, useRestoreStep, useRunningRestore } from '../api/restore'

/** Where the data stands now: which version it follows, what has changed since, on which branch; and the way back. */
export function StateStrip({ project }: { project: string }) {
  const { t } = useTranslation('versions')
  const branches = useBranches(project)
  const running = useRunningRestore(project)
  const step = useRestoreStep(project)
  const canWrite = useHasRole('engineer')
  if (branches.isPending) return <LoadingState rows={1} height={56} />
  if (branches.isLoadingError) return <ErrorState error={branches.error} onRetry={() => void branches.refetch()} />
  const { base, base_number: number } = branches.data
  if (base === null || number === null) return null
  const job = running.data
  return (
    <Stack gap="xs" mb="md">
      <Paper withBorder px="md" py="xs">
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Text size="sm">{t('state.follows', { number })}</Text>
            <Badge variant="light" leftSection={<IconGitBranch size={12} />} tt="none">
              {branches.data.branch}
            </Badge>
            {!job && <Changed project={project} base={base} />}
          </Group>
          {canWrite && (
            <BranchMenu
              current={branches.data.branch}
              branches={branches.data.branches}
              isBusy={job != null || step.isPending}
              onStep={step.mutate}
            />
          )}
        </Group>
        {job && <Progress fraction={job.progress_fraction} label={t('state.restoring')} remainingSeconds={job.remaining_s} />}
      </Paper>
      {!job && <UndoRestore project={project} canWrite={canWrite} isBusy={step.isPending} onStep={step.mutate} />}
    </Stack>
  )
}

function Changed({ project, base }: { project: string; base: string }) {
  const { t } = useTranslation('versions')
  const diff = useDiff(project, base, WORKING)
  if (!diff.data) return null
  const count = diff.data.num_added + diff.data.num_removed + diff.data.num_changed
  if (count === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('state.unchanged')}
      </Text>
    )
  return (
    <Anchor component={Link} to={`compare?before=${base}&after=${WORKING}`} size="sm">
      <Group gap={4} wrap="nowrap">
        <IconGitCompare size={14} />
        {t('state.changed', { count })}
      </Group>
    </Anchor>
  )
}

interface BranchMenuProps {
  current: string
  branches: readonly { name: string; head_number: number }[]
  isBusy: boolean
  onStep: (step: Step) => void
}

function BranchMenu({ current, branches, isBusy, onStep }: BranchMenuProps) {
  const { t } = useTranslation('versions')
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />} disabled={isBusy}>
          {t('branch.switch')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        <Menu.Label>{t('branch.help')}</Menu.Label>
        {!branches.some((branch) => branch.name === current) && (
          <Menu.Item disabled leftSection={<IconCheck size={14} />}>
            {current}
            <Text size="xs">{t('branch.new')}</Text>
          </Menu.Item>
        )}
        {branches.map((branch) => (
          <Menu.Item
            key={branch.name}
            disabled={branch.name === current}
            leftSection={branch.name === current ? <IconCheck size={14} /> : <IconGitBranch size={14} />}
            rightSection={
              <Text size="xs" c="dimmed">
                {t('name', { number: branch.head_number })}
              </Text>
            }
            onClick={() => onStep({ kind: 'switch', name: branch.name })}
          >
            {branch.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface UndoRestoreProps {
  project: string
  canWrite: boolean
  isBusy: boolean
  onStep: (step: Step) => void
}

function UndoRestore({ project, canWrite, isBusy, onStep }: UndoRestoreProps) {
  const { t } = useTranslation('versions')
  const personName = usePersonName()
  const last = useLastRestore(project).data
  if (!last?.can_undo) return null
  const counts = (
    [
      ['changed', last.num_changed],
      ['unlabelled', last.num_unlabelled],
      ['brought_back', last.num_brought_back],
      ['kept', last.num_kept],
    ] as const
  ).flatMap(([name, count]) => (count ? [t(`restored.${name}`, { count })] : []))
  const words = counts.join(t('restored.comma')) || t('restored.nothing')
  return (
    <Alert variant="light" py="xs">
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm">
            {t('restored.title', { number: last.version_number, saved: last.saved_number })} {words}
          </Text>
          <Text size="xs" c="dimmed">
            <RelativeTime value={last.at} /> · {personName(last.by)}
          </Text>
        </div>
        {canWrite && (
          <Button
            size="xs"
            variant="default"
            loading={isBusy}
            leftSection={<IconArrowBackUp size={14} />}
            onClick={() => onStep({ kind: 'undo', job: last.job })}
          >
            {t('restored.undo')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
