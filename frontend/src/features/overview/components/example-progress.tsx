import { Alert, Anchor, Button, Group, Loader, Paper, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Project } from '../../../lib/api/types'
import { type ExampleState, useExample } from '../../../lib/example/example'
import { ExampleFailedError, type ExampleStep } from '../../../lib/example/run'
import { type Failure, useFailureText } from '../../../lib/failure-text'
import { useTask } from '../../../lib/project/task'
import { ErrorState } from '../../../ui/error-state'
import { Progress } from '../../../ui/progress'

const WHOLE: readonly ExampleStep[] = ['data', 'version', 'train', 'deploy']
const JOINED: readonly ExampleStep[] = ['partner', 'join']

/** How far an example project is; nothing in other projects. */
export function ExampleProgress({ project }: { project: Project }) {
  const { t } = useTranslation('overview')
  const { state, retry, close } = useExample(project, useTask().data)
  if (state === null) return null
  if (state.kind === 'done')
    return (
      <Alert
        color="teal"
        icon={<IconCheck size={18} />}
        withCloseButton
        closeButtonLabel={t('common:close')}
        onClose={close}
        title={t('example.done')}
      >
        <Group gap="md">
          {pagesOf(state).map((page) => (
            <Anchor key={page} component={Link} to={page} size="sm">
              {t(`example.to.${page}`)}
            </Anchor>
          ))}
        </Group>
      </Alert>
    )
  const steps = [...(state.isWhole ? WHOLE : WHOLE.slice(0, 1)), ...(state.quickstart?.partner ? JOINED : [])]
  const place = steps.indexOf(state.progress.step)
  return (
    <Paper role="region" aria-label={t('example.title')}>
      <Text fw={600} mb="xs">
        {t('example.title')}
      </Text>
      <Stack gap="xs">
        {steps.map((step, index) => (
          <Step key={step} step={step} state={state} isDone={index < place} isNow={index === place} />
        ))}
        {state.kind === 'failed' && (
          <>
            <Failed error={state.error} />
            <Group gap="xs">
              <Button onClick={retry}>{t('common:error.retry')}</Button>
              <Button variant="default" onClick={close}>
                {t('common:close')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  )
}

/** Where something is ready. */
const pagesOf = ({ isWhole, quickstart }: ExampleState) => [
  ...(isWhole ? (['data', 'models', 'deployments'] as const) : (['data', 'studies'] as const)),
  ...(quickstart?.pages ?? []),
]

interface StepProps {
  step: ExampleStep
  state: Exclude<ExampleState, { kind: 'done' }>
  isDone: boolean
  isNow: boolean
}

function Step({ step, state, isDone, isNow }: StepProps) {
  const { t } = useTranslation('overview')
  const { fraction } = state.progress
  const isFailed = isNow && state.kind === 'failed'
  return (
    <Group gap="sm" wrap="nowrap" aria-current={isNow ? 'step' : undefined}>
      {isNow && !isFailed ? (
        <Loader size={20} />
      ) : (
        <ThemeIcon
          size={20}
          radius="xl"
          variant={isDone || isFailed ? 'filled' : 'default'}
          color={isFailed ? 'red' : isDone ? 'teal' : 'gray'}
        >
          {isDone && <IconCheck size={13} aria-label={t('done')} />}
          {isFailed && <IconX size={13} />}
        </ThemeIcon>
      )}
      <div style={{ flex: 1 }}>
        {isNow && fraction !== null ? (
          <Progress fraction={fraction} label={t(`example.step.${step}`)} isMoving={!isFailed} />
        ) : (
          <Text size="sm" c={isNow || isDone ? undefined : 'dimmed'}>
            {t(`example.step.${step}`)}
          </Text>
        )}
      </div>
    </Group>
  )
}

/** Refused requests show their own message; failures of jobs and studies are worded as on their pages. */
function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation('overview')
  const failureText = useFailureText()
  if (!(error instanceof ExampleFailedError)) return <ErrorState error={error} />
  const failure = error.failure as Failure | null
  const { message, hint } = failure ? failureText(failure) : { message: '', hint: '' }
  return (
    <Alert color="red" title={t('example.failed')} role="alert">
      {[message, hint].filter(Boolean).join(' ')}
    </Alert>
  )
}
