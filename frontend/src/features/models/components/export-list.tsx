import { Anchor, Box, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../charts/format/format'
import { useFailureText } from '../../../lib/failure-text'
import { formatBytes } from '../../../lib/format'
import { docsAddress } from '../../../lib/help'
import { useLocalText } from '../../../lib/local-text'
import { useHasRole } from '../../../lib/session/session'
import { CopyButton } from '../../../ui/copy-button'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Progress } from '../../../ui/progress'
import { RelativeTime } from '../../../ui/relative-time'
import { StateBadge } from '../../../ui/state-badge'
import { ENDED, useCancelExport, useExports, useTargets } from '../api/exports'
import type { Artefact, Export } from '../api/types'

interface ExportListProps {
  artefact: Artefact
  onCreate: () => void
}

/** What was built from a model, with what the check of each build found. */
export function ExportList({ artefact, onCreate }: ExportListProps) {
  const { t } = useTranslation('models')
  const exports = useExports(artefact.id)
  if (exports.isPending) return <LoadingState rows={3} />
  if (exports.isLoadingError) return <ErrorState error={exports.error} onRetry={() => void exports.refetch()} />
  if (!exports.data.length) {
    return <EmptyState title={t('exports.empty')} action={<Button onClick={onCreate}>{t('export')}</Button>} />
  }
  return (
    <Stack component="ul" gap={0} m={0} p={0} aria-label={t('tab.exports')}>
      {exports.data.map((build) => (
        <ExportRow key={build.id} build={build} />
      ))}
    </Stack>
  )
}

function ExportRow({ build }: { build: Export }) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const canCancel = useHasRole('engineer')
  const cancel = useCancelExport()
  const target = useTargets().data?.find((each) => each.name === build.target)
  return (
    <Group component="li" gap="md" px="xs" py="sm">
      <Box w={200}>
        <Text size="sm" fw={600}>
          {target ? text(target.title) : build.target}
        </Text>
        <Text size="xs" c="dimmed">
          <RelativeTime value={build.created_at} />
        </Text>
        {build.gallery && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            {t('exports.with_gallery', { name: build.gallery.name })}
          </Text>
        )}
      </Box>
      <Box w={90}>
        <StateBadge state={build.state} />
      </Box>
      <Box flex="1 1 260px">
        <ExportOutcome build={build} />
      </Box>
      {canCancel && build.job && !ENDED.has(build.state) && (
        <Button
          variant="default"
          size="xs"
          disabled={build.job.is_stopping}
          loading={cancel.isPending}
          onClick={() => build.job && cancel.mutate(build.job.id)}
        >
          {t('common:cancel')}
        </Button>
      )}
      {build.download_url && (
        <Anchor href={build.download_url} download size="sm" style={{ whiteSpace: 'nowrap' }}>
          {t('exports.download')} {build.report && `(${formatBytes(build.report.size_bytes)})`}
        </Anchor>
      )}
      {build.commands.length > 0 && <HowToRun commands={build.commands} />}
    </Group>
  )
}

/** The first commands of the product's read-me, and where to read on. */
function HowToRun({ commands }: { commands: readonly string[] }) {
  const { t, i18n } = useTranslation('models')
  const [isOpen, { toggle }] = useDisclosure()
  const text = commands.join('\n')
  return (
    <Box w="100%">
      <Button variant="subtle" size="compact-xs" aria-expanded={isOpen} onClick={toggle}>
        {t('exports.run')}
      </Button>
      {isOpen && (
        <Stack gap={4} mt={4}>
          <Group gap={4} wrap="nowrap" align="start">
            <Code block flex={1} miw={0}>
              {text}
            </Code>
            <CopyButton value={text} label={t('exports.copy_commands')} />
          </Group>
          <Text size="xs" c="dimmed">
            {t('exports.run_help')}{' '}
            <Anchor href={docsAddress('guide/exports', i18n.language)} target="_blank" size="xs">
              {t('exports.docs')}
            </Anchor>
          </Text>
        </Stack>
      )}
    </Box>
  )
}

function ExportOutcome({ build }: { build: Export }) {
  const { t } = useTranslation('models')
  const failureText = useFailureText()
  if (build.report) {
    const { check, sha256 } = build.report
    const values = {
      count: check.num_samples,
      difference: formatNumber(check.max_difference),
      tolerance: formatNumber(check.tolerance),
      library: check.in_place_of,
    }
    const sentence = !check.is_passed ? 'exports.check_failed' : check.in_place_of ? 'exports.check_in_place' : 'exports.check'
    return (
      <Stack gap={2}>
        <Text size="sm">{t(sentence, values)}</Text>
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed">
            {t('exports.sha')}
          </Text>
          <Code>{sha256.slice(0, 16)}…</Code>
          <CopyButton value={sha256} />
        </Group>
      </Stack>
    )
  }
  if (build.job?.error) {
    const failure = failureText(build.job.error)
    return (
      <>
        <Text size="sm" c="red">
          {failure.message} {failure.hint}
        </Text>
        {failure.detail && (
          <Text size="xs" c="dimmed">
            {failure.detail}
          </Text>
        )}
      </>
    )
  }
  if (!build.job || build.state !== 'running') return null
  return <Progress fraction={build.job.progress_fraction} remainingSeconds={build.job.remaining_s} />
}
