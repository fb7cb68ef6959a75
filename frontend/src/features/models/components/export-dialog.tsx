import { Button, Group, Modal, Paper, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useJoinableGalleries } from '../../../answers/joinable-galleries'
import { hasAnswerPage } from '../../../answers/pages'
import { useLocalText } from '../../../lib/local-text'
import { afterMutation } from '../../../lib/after-mutation'
import { DialogFoot } from '../../../ui/dialog-foot'
import { ErrorState } from '../../../ui/error-state'
import { GallerySelect } from '../../../ui/gallery-select'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { ParamFields, type ParamValue } from '../../../ui/param-fields'
import { useCreateExport, useTargets } from '../api/exports'
import type { Artefact, Target } from '../api/types'
import { Expected } from './expected'
import { defaultOptions, type TargetChoice, targetChoices, targetGroups } from '../model/targets'

interface ExportDialogProps {
  artefact: Artefact
  onClose: () => void
  onStarted: () => void
}

/** Builds a model for a target. The form is generated from the target's spec. */
export function ExportDialog({ artefact, onClose, onStarted }: ExportDialogProps) {
  const { t } = useTranslation('models')
  const targets = useTargets()
  const create = useCreateExport(artefact.id)
  const [chosen, setChosen] = useState<string | null>(null)
  const [options, setOptions] = useState<Record<string, ParamValue>>({})
  const galleries = useJoinableGalleries(artefact.project, artefact).data ?? []
  const [gallery, setGallery] = useState<string | null>(null)
  const choices = targetChoices(targets.data ?? [], artefact.manifest)
  const target = choices.find((choice) => choice.target.name === chosen && choice.isPossible)?.target

  const submit = () => {
    if (!target) return
    const body = { target: target.name, options: { ...defaultOptions(target), ...options }, gallery }
    afterMutation(create.mutateAsync(body, { onSuccess: onStarted }), () => notifyDone(t('exports.started')))
  }
  return (
    <Modal opened onClose={onClose} size="xl" title={t('exports.title', { name: t('name', { number: artefact.number }) })}>
      {targets.isPending && <LoadingState />}
      {targets.isLoadingError && <ErrorState error={targets.error} onRetry={() => void targets.refetch()} />}
      {targets.data && (
        <Stack>
          <Radio.Group
            aria-label={t('exports.target')}
            value={chosen}
            onChange={(name) => {
              setChosen(name)
              setOptions({})
            }}
          >
            <Stack gap="md" mt={6}>
              {targetGroups(choices).map(({ group, choices: own }) => (
                <section key={group} aria-label={t(`exports.group.${group}`)}>
                  <Text size="xs" fw={600} c="dimmed" mb={6}>
                    {t(`exports.group.${group}`)}
                  </Text>
                  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
                    {own.map((choice) => (
                      <TargetCard
                        key={choice.target.name}
                        choice={choice}
                        lacksForms={hasAnswerPage([artefact.manifest.output], 'templates') && !choice.target.reads_forms}
                        expected={
                          <Expected
                            artefact={artefact}
                            target={choice.target}
                            options={choice.target === target ? options : {}}
                            gallery={gallery}
                          />
                        }
                      />
                    ))}
                  </SimpleGrid>
                  {target && target.options.length > 0 && own.some((choice) => choice.target === target) && (
                    <Paper mt="xs" bg="var(--mantine-color-default-hover)">
                      <ParamFields params={target.options} values={{ ...defaultOptions(target), ...options }} onChange={setOptions} />
                    </Paper>
                  )}
                </section>
              ))}
            </Stack>
          </Radio.Group>
          <GallerySelect galleries={galleries} value={gallery} help={t('exports.gallery_help')} onChange={setGallery} />
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

interface TargetCardProps {
  choice: TargetChoice<Target>
  /** The model's lines could be read by templates, but not there. */
  lacksForms: boolean
  expected: ReactNode
}

/** The word for what brings the tools that are missing; undefined where they are programs of the system. */
function remedyOf({ extra, variable }: NonNullable<Target['missing']>) {
  if (extra && variable) return 'missingBoth'
  return extra ? 'missingExtra' : variable ? 'missingVariable' : undefined
}

function TargetCard({ choice: { target, isPossible, isSuited }, lacksForms, expected }: TargetCardProps) {
  const { t } = useTranslation('models')
  const text = useLocalText()
  const remedy = target.missing && remedyOf(target.missing)
  return (
    <Radio.Card value={target.name} disabled={!isPossible} p="sm" radius="md" display="flex" style={{ alignItems: 'flex-start' }}>
      <Group wrap="nowrap" align="flex-start">
        <Radio.Indicator mt={2} />
        <div>
          <Text size="sm" fw={600}>
            {text(target.title)}
          </Text>
          <Text size="xs" c="dimmed">
            {isSuited ? text(target.summary) : t('exports.unavailable')}
            {!target.missing && target.tools.length > 0 && ` ${t('exports.needs', { tools: target.tools.join(', ') })}`}
          </Text>
          {isSuited && target.missing && (
            <Text size="xs" c="orange.8">
              {t('exports.missing', { names: target.missing.names.join(', ') })} {remedy && t(`exports.${remedy}`, { ...target.missing })}
            </Text>
          )}
          {isSuited && lacksForms && (
            <Text size="xs" c="orange.8">
              {t('exports.no_forms')}
            </Text>
          )}
          {isPossible && expected}
        </div>
      </Group>
    </Radio.Card>
  )
}
