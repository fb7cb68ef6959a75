import { Button, Group, NumberInput, Slider, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useAnswerKind } from '../../../answers'
import { formatFraction } from '../../../charts/format/format'
import { useHasRole } from '../../../lib/session/session'
import { afterMutation } from '../../../lib/after-mutation'
import { notifyDone } from '../../../ui/notify'
import { Section } from '../../../ui/section'
import { useChangeDeployment, useFeedback } from '../api/change-deployment'
import type { Deployment } from '../api/types'

/** Closes the circle: calls that the model was unsure of become items to label. */
export function FeedbackPanel({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const canLabel = useHasRole('engineer')
  const { hasUncertainty } = useAnswerKind()
  if (!canLabel) return null
  return (
    <Section title={t('feedback.title')} help={t(hasUncertainty ? 'feedback.text' : 'feedback.text_number')}>
      {deployment.keep_inputs === 'none' ? <KeepNothing deployment={deployment} /> : <SendForm deployment={deployment} />}
    </Section>
  )
}

function KeepNothing({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const change = useChangeDeployment(deployment.id)
  const keep_inputs = useAnswerKind().hasUncertainty ? 'uncertain' : 'all'
  const keep = () => afterMutation(change.mutateAsync({ keep_inputs }), () => notifyDone(t(`feedback.changed.${keep_inputs}`)))
  return (
    <Group>
      <Text size="sm">{t('feedback.none_kept')}</Text>
      <Button variant="default" loading={change.isPending} onClick={keep}>
        {t(`feedback.change.${keep_inputs}`)}
      </Button>
    </Group>
  )
}

function SendForm({ deployment }: { deployment: Deployment }) {
  const { t } = useTranslation('deployments')
  const [min_uncertainty, setUncertainty] = useState(deployment.min_uncertainty)
  const [limit, setLimit] = useState(200)
  const { hasUncertainty } = useAnswerKind()
  const feedback = useFeedback(deployment.id)
  const send = () =>
    afterMutation(feedback.mutateAsync({ min_uncertainty, limit }), (sent) => notifyDone(t('feedback.done', { count: sent.items })))
  return (
    <Group align="flex-end" gap="lg">
      {hasUncertainty && (
        <Stack gap={4} w={240}>
          <Text size="sm">
            {t('feedback.uncertainty')} {formatFraction(min_uncertainty, 0)}
          </Text>
          <Slider
            thumbLabel={t('feedback.uncertainty')}
            min={0}
            max={1}
            step={0.05}
            label={null}
            value={min_uncertainty}
            onChange={setUncertainty}
          />
        </Stack>
      )}
      <NumberInput
        label={t('feedback.limit')}
        w={110}
        min={1}
        max={10_000}
        allowDecimal={false}
        value={limit}
        onChange={(value) => setLimit(Number(value) || 1)}
      />
      <Button loading={feedback.isPending} onClick={send}>
        {t('feedback.button')}
      </Button>
    </Group>
  )
}
