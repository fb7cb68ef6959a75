import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { afterMutation } from '../../../lib/after-mutation'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { useChangeArtefact } from '../api/get-artefacts'
import type { Artefact, CoverageScope } from '../api/types'

interface CoverageDefaultProps {
  artefact: Artefact
  /** Null where there are too few items for it. */
  choice: { error_rate: number; scope: CoverageScope } | null
  /** What answers then say: whether to ask a person, or an interval. */
  words: 'ask' | 'number'
}

/** Has the answers of the model say it, or say it no more. */
export function CoverageDefault({ artefact, choice, words }: CoverageDefaultProps) {
  const { t } = useTranslation('report')
  const canWrite = useHasRole('engineer')
  const change = useChangeArtefact(artefact.id)
  const inUse = artefact.coverage
  const isInUse = choice !== null && inUse?.error_rate === choice.error_rate && inUse.scope === choice.scope
  const save = (error_rate: number | null) =>
    afterMutation(change.mutateAsync({ coverage: { error_rate, scope: choice?.scope ?? 'all' } }), () => notifyDone(t('coverage.saved')))
  const state = inUse
    ? t(`coverage.${words}.in_use`, { rate: formatFraction(inUse.error_rate, 0), scope: t(`coverage.scope.${inUse.scope}`) })
    : t(`coverage.${words}.not_in_use`)
  return (
    <Stack gap="xs">
      {canWrite && (
        <Group gap="sm">
          <Button disabled={choice === null || isInUse} loading={change.isPending} onClick={() => choice && save(choice.error_rate)}>
            {t('coverage.save')}
          </Button>
          {inUse && (
            <Button variant="default" disabled={change.isPending} onClick={() => save(null)}>
              {t(`coverage.${words}.stop`)}
            </Button>
          )}
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {state}
      </Text>
      {canWrite && (
        <Text size="xs" c="dimmed">
          {t('coverage.save_help')}
        </Text>
      )}
      {change.isError && <ErrorState error={change.error} />}
    </Stack>
  )
}
