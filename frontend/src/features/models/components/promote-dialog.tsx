import { Button, Group, Modal, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { usePromote } from '../api/get-artefacts'
import { STAGES, type Artefact, type Stage } from '../api/types'

interface PromoteDialogProps {
  artefact: Artefact
  onClose: () => void
}

/** Moves a model to another stage. The reason is asked for because it is kept. */
export function PromoteDialog({ artefact, onClose }: PromoteDialogProps) {
  const { t } = useTranslation('models')
  const [stage, setStage] = useState<Stage>(artefact.stage)
  const [reason, setReason] = useState('')
  const promote = usePromote(artefact.id)
  const submit = () => {
    afterMutation(promote.mutateAsync({ stage, reason: reason.trim() }, { onSuccess: onClose }), () =>
      notifyDone(t('promote.done', { stage: t(`common:state.${stage}`) })),
    )
  }
  return (
    <Modal opened onClose={onClose} title={t('promote.title', { name: t('name', { number: artefact.number }) })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack>
          <Radio.Group label={t('promote.stage')} value={stage} onChange={(value) => setStage(value as Stage)}>
            <Stack gap="xs" mt={6}>
              {STAGES.map((name) => (
                <Radio key={name} value={name} label={t(`common:state.${name}`)} description={t(`promote.help.${name}`)} />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            required
            label={t('promote.reason')}
            placeholder={t('promote.reason_placeholder')}
            maxLength={1000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {promote.isError && <ErrorState error={promote.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={promote.isPending} disabled={stage === artefact.stage || !reason.trim()}>
              {t('promote.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
