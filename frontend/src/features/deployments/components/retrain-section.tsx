import { Alert, Anchor, Badge, Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useLocalText } from '../../../lib/local-text'
import { useHasRole } from '../../../lib/session/session'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { RelativeTime } from '../../../ui/relative-time'
import { Section } from '../../../ui/section'
import { type Retrain, type Retraining, useRetrain } from '../api/retraining'
import type { Deployment } from '../api/types'
import { ModelLink } from './model-label'
import { RetrainForm } from './retrain-form'
import { RolloutDialog } from './rollout-dialog'

const COLORS = { training: 'accent', offered: 'teal', failed: 'red' } as const

/** When the model is trained again by itself, and what came of it. */
export function RetrainSection({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const canChange = useHasRole('engineer')
  const retrain = useRetrain(deployment.id)
  const [isOpen, form] = useDisclosure()
  return (
    <Section
      title={t('retrain.title')}
      help={t('retrain.help')}
      actions={
        canChange &&
        retrain.data && (
          <Button size="xs" variant="default" flex="none" aria-expanded={isOpen} onClick={form.toggle}>
            {t('retrain.settings')}
          </Button>
        )
      }
    >
      {retrain.isPending && <LoadingState rows={1} />}
      {retrain.isLoadingError && <ErrorState error={retrain.error} onRetry={() => void retrain.refetch()} />}
      {retrain.data && (
        <Stack>
          <Rule retrain={retrain.data} />
          {retrain.data.blocked && <Blocked deployment={deployment} blocked={retrain.data.blocked} />}
          <Collapse expanded={isOpen}>
            {isOpen && (
              <RetrainForm
                key={JSON.stringify([retrain.data.reasons.map(({ is_on, limit }) => [is_on, limit.value]), retrain.data.starts_rollout])}
                deployment={deployment.id}
                retrain={retrain.data}
                onSaved={form.close}
              />
            )}
          </Collapse>
          {retrain.data.trainings.map((each) => (
            <Training key={each.id} deployment={deployment} training={each} canChange={canChange} />
          ))}
        </Stack>
      )}
    </Section>
  )
}

/** What is watched now, in a line. */
function Rule({ retrain }: { retrain: Retrain }) {
  const { t } = useTranslation('deployments')
  const say = useLocalText()
  const on = retrain.reasons.filter((reason) => reason.is_on)
  if (on.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('retrain.off')}
      </Text>
    )
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('retrain.on', { reasons: on.map((reason) => say(reason.title)).join(t('retrain.or')) })}
      </Text>
      <Text size="sm" c="dimmed">
        {t(retrain.starts_rollout ? 'retrain.by_itself' : 'retrain.by_person')}
      </Text>
    </div>
  )
}

function Blocked({ deployment, blocked }: { deployment: Deployment; blocked: NonNullable<Retrain['blocked']> }) {
  const { t } = useTranslation('deployments')
  const codeText = useCodeText()
  const isNothingNew = blocked.code === 'nothing_new'
  return (
    <Alert color="yellow" title={t('retrain.due')}>
      <Text size="sm">
        {isNothingNew ? t('retrain.nothing_new') : t('retrain.blocked', { why: codeText(blocked.code) })}{' '}
        <Anchor component={Link} size="sm" to={`/projects/${deployment.project}/${isNothingNew ? 'labelling' : 'versions'}`}>
          {t(isNothingNew ? 'retrain.to_labelling' : 'retrain.to_versions')}
        </Anchor>
      </Text>
      <Text size="xs" c="dimmed">
        {t('retrain.since')} <RelativeTime value={blocked.at} />
      </Text>
    </Alert>
  )
}

interface TrainingProps {
  deployment: Deployment
  training: Retraining
  canChange: boolean
}

function Training({ deployment, training, canChange }: TrainingProps) {
  const { t } = useTranslation('deployments')
  const say = useLocalText()
  const codeText = useCodeText()
  const [isStarting, starting] = useDisclosure()
  const { state, rollout, artefact, study, code } = training
  const base = `/projects/${deployment.project}`
  const isOpen = state === 'offered' && artefact !== null && rollout === null && artefact !== deployment.artefact
  return (
    <div>
      <Group gap="xs">
        <Badge color={COLORS[state]}>{rollout ? t(`rollout.state.${rollout}`) : t(`retrain.state.${state}`)}</Badge>
        <Text size="sm">{t('retrain.version', { number: training.version_number })}</Text>
        {artefact !== null && <ModelLink project={deployment.project} artefact={artefact} />}
        {artefact === null && study !== null && (
          <Anchor component={Link} size="sm" to={`${base}/studies/${study}`}>
            {t('retrain.study')}
          </Anchor>
        )}
        <Text size="xs" c="dimmed">
          <RelativeTime value={training.ended_at ?? training.created_at} />
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {say(training.message)} {code && codeText(code)}
      </Text>
      {isOpen && canChange && (
        <Button size="xs" mt={6} onClick={starting.open}>
          {t('retrain.try')}
        </Button>
      )}
      {isStarting && <RolloutDialog deployment={deployment} candidate={artefact ?? undefined} onClose={starting.close} />}
    </div>
  )
}

/** Why something was not done. */
function useCodeText(): (code: string) => string {
  const { t } = useTranslation('deployments')
  return (code) => {
    if (i18next.exists(`deployments:retrain.code.${code}`)) return t(`retrain.code.${code}` as 'retrain.code.other')
    return i18next.exists(`refusals:${code}.title`) ? i18next.t(`refusals:${code}.title`) : t('retrain.code.other', { code })
  }
}
