import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import { afterMutation } from '../../../lib/after-mutation'
import { DialogFoot } from '../../../ui/dialog-foot'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { ParamFields, type ParamValue } from '../../../ui/param-fields'
import { useCreateExport, useTargets } from '../api/exports'
import type { Artefact } from '../api/types'
import { defaultOptions, targetChoices } from '../model/targets'

interface ExportDialogProps {
  artefact: Artefact
  onClose: () => void
  onStarted: () => void
}

/** Builds a model for a target. The form is generated from the target's spec. */
export function ExportDialog({ artefact, onClose, onStarted }: ExportDialogProps) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const targets = useTargets()
  const create = useCreateExport(artefact.id)
  const [chosen, setChosen] = useState<string | null>(null)
  const [options, setOptions] = useState<Record<string, ParamValue>>({})
  const choices = targetChoices(targets.data ?? [], artefact.manifest)
  const target = choices.find((choice) => choice.target.name === chosen && choice.isPossible)?.target

  const submit = () => {
    if (!target) return
    const body = { target: target.name, options: { ...defaultOptions(target), ...options } }
    afterMutation(create.mutateAsync(body, { onSuccess: onStarted }), () => notifyDone(t('exports.started')))
  }
  return (
    <Modal opened onClose={onClose} size="lg" title={t('exports.title', { name: t('name', { number: artefact.number }) })}>
      {targets.isPending && <LoadingState />}
      {targets.isLoadingError && <ErrorState error={targets.error} onRetry={() => void targets.refetch()} />}
      {targets.data && (
        <Stack>
          <Radio.Group
            label={t('exports.target')}
            value={chosen}
            onChange={(name) => {
              setChosen(name)
              setOptions({})
            }}
          >
            <Stack gap="xs" mt={6}>
              {choices.map(({ target: each, isPossible }) => (
                <Radio.Card key={each.name} value={each.name} disabled={!isPossible} p="sm" radius="md">
                  <Group wrap="nowrap" align="flex-start">
                    <Radio.Indicator mt={2} />
                    <div>
                      <Text size="sm" fw={600}>
                        {text(each.title)}
                      </Text>
                      <Text size="xs" c="dimmed">
                        {isPossible ? text(each.summary) : t('exports.unavailable')}
                        {each.tools.length > 0 && ` ${t('exports.needs', { tools: each.tools.join(', ') })}`}
                      </Text>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </Stack>
          </Radio.Group>
          {target && target.options.length > 0 && (
            <ParamFields params={target.options} values={{ ...defaultOptions(target), ...options }} onChange={setOptions} />
          )}
          {create.isError && <ErrorState error={create.error} />}
          <DialogFoot>
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button disabled={!target} loading={create.isPending} onClick={submit}>
              {t('exports.submit')}
            </Button>
          </DialogFoot>
        </Stack>
      )}
    </Modal>
  )
}
