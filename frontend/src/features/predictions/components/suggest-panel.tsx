import { Box, Button, Group, Paper, Text } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useItemKind } from '../../../items'
import { useFailureText } from '../../../lib/failure-text'
import { formatNumber } from '../../../lib/format'
import { useHasRole } from '../../../lib/session/session'
import { Progress } from '../../../ui/progress'
import { useSuggest } from '../api/change-prediction'
import type { Run } from '../api/types'
import { canSuggest, isRunning, isSuggesting } from '../model/run-state'

/** Gives the results to what nobody has labelled yet, as suggestions to accept or reject. */
export function SuggestPanel({ run }: { run: Run }) {
  const { t } = useTranslation('predictions')
  const { labelsFrom } = useItemKind()
  const canLabel = useHasRole('labeller')
  const suggest = useSuggest(run.id)
  const failureText = useFailureText()
  if (!canLabel || !canSuggest(run) || isRunning(run) || labelsFrom !== 'labelling') return null
  const { suggest_job: job, num_suggested } = run
  const failure = job?.error && !isSuggesting(run) ? failureText(job.error) : null
  return (
    <Paper role="region" aria-label={t('suggest.title')}>
      <Group justify="space-between" gap="sm">
        <Box flex="1 1 240px">
          <Text size="sm" fw={600}>
            {t('suggest.title')}
          </Text>
          <Text size="xs" c={failure ? 'red' : 'dimmed'} aria-live="polite">
            {failure
              ? [failure.message, failure.hint].join(' ')
              : num_suggested === null
                ? t('suggest.text')
                : t('suggest.done', { count: num_suggested, number: formatNumber(num_suggested) })}
          </Text>
        </Box>
        <Group gap="xs" wrap="nowrap">
          {num_suggested !== null && num_suggested > 0 && !isSuggesting(run) && (
            <Button component={Link} to={`/projects/${run.project}/labelling`} variant="default">
              {t('suggest.to_labelling')}
            </Button>
          )}
          <Button
            variant={num_suggested === null ? 'filled' : 'default'}
            leftSection={<IconSparkles size={16} />}
            loading={suggest.isPending || isSuggesting(run)}
            onClick={() => suggest.mutate()}
          >
            {t(num_suggested === null ? 'suggest.submit' : 'suggest.again')}
          </Button>
        </Group>
      </Group>
      {job && isSuggesting(run) && <Progress fraction={job.progress_fraction} remainingSeconds={job.remaining_s} />}
    </Paper>
  )
}
