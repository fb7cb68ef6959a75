import { ActionIcon, Button, Group, NumberInput, Select, Slider, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { afterMutation } from '../../../lib/after-mutation'
import { ErrorState } from '../../../ui/error-state'
import { notifyDone } from '../../../ui/notify'
import { useModelChoices } from '../../../lib/project/choices'
import { useSetTraffic } from '../api/traffic'
import type { Deployment } from '../api/types'
import { MAX_MODELS, type Share, shareAdd, shareRemove, shareSet } from '../model/traffic'
import { ModelLink, useModelLabel } from './model-label'
import classes from './traffic-form.module.css'

interface TrafficFormProps {
  deployment: Deployment
  /** Shows the shares only: somebody or something else decides on them. */
  isLocked: boolean
}

/** The models of a deployment with a slider each, and the shadow. Nothing changes before it is applied. */
export function TrafficForm({ deployment, isLocked }: TrafficFormProps) {
  const { t } = useTranslation('deployments')
  const before = {
    shares: deployment.models.map(({ artefact, share }) => ({ artefact, share })),
    shadow: deployment.shadow?.artefact ?? null,
  }
  const [shares, setShares] = useState<Share[]>(before.shares)
  const [shadow, setShadow] = useState(before.shadow)
  const set = useSetTraffic(deployment.id)
  const isChanged = JSON.stringify({ shares, shadow }) !== JSON.stringify(before)
  const apply = () => afterMutation(set.mutateAsync({ models: shares, shadow }), () => notifyDone(t('traffic.applied')))
  const discard = () => {
    setShares(before.shares)
    setShadow(before.shadow)
    set.reset()
  }
  const messages = new Map(
    [...deployment.models, ...(deployment.shadow ? [deployment.shadow] : [])].map((each) => [each.artefact, each.message]),
  )
  return (
    <Stack gap="sm">
      {shares.map((each, place) => (
        <ShareRow
          key={each.artefact}
          project={deployment.project}
          share={each}
          message={messages.get(each.artefact) ?? ''}
          isLocked={isLocked}
          isAlone={shares.length === 1}
          onChange={(value) => setShares(shareSet(shares, place, value))}
          onRemove={() => setShares(shareRemove(shares, place))}
        />
      ))}
      <Choices
        deployment={deployment}
        shares={shares}
        shadow={shadow}
        message={shadow === null ? '' : (messages.get(shadow) ?? '')}
        isLocked={isLocked}
        onAdd={(artefact) => setShares(shareAdd(shares, artefact))}
        onShadow={setShadow}
      />
      {set.isError && <ErrorState error={set.error} />}
      {isChanged && !isLocked && (
        <Group>
          <Button loading={set.isPending} onClick={apply}>
            {t('traffic.apply')}
          </Button>
          <Button variant="default" onClick={discard}>
            {t('traffic.discard')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface ShareRowProps {
  project: string
  share: Share
  message: string
  isLocked: boolean
  isAlone: boolean
  onChange: (share: number) => void
  onRemove: () => void
}

function ShareRow({ project, share: { artefact, share }, message, isLocked, isAlone, onChange, onRemove }: ShareRowProps) {
  const { t } = useTranslation('deployments')
  const name = useModelLabel(project)(artefact)
  const label = t('traffic.share_of', { name })
  const isFixed = isLocked || isAlone
  return (
    <div className={classes.row}>
      <div className={classes.name}>
        <ModelLink project={project} artefact={artefact} />
      </div>
      <Slider thumbLabel={label} min={0} max={100} step={1} label={null} value={share} disabled={isFixed} onChange={onChange} />
      <NumberInput
        aria-label={label}
        size="xs"
        min={0}
        max={100}
        suffix="%"
        allowDecimal={false}
        value={share}
        disabled={isFixed}
        onChange={(value) => typeof value === 'number' && onChange(value)}
      />
      {isFixed ? (
        <span />
      ) : (
        <ActionIcon variant="subtle" color="gray" aria-label={t('traffic.remove', { name })} onClick={onRemove}>
          <IconX size={16} />
        </ActionIcon>
      )}
      {message && (
        <Text size="xs" c="red" className={classes.message}>
          {t('traffic.not_loaded', { message })}
        </Text>
      )}
    </div>
  )
}

interface ChoicesProps {
  deployment: Deployment
  shares: readonly Share[]
  shadow: string | null
  message: string
  isLocked: boolean
  onAdd: (artefact: string) => void
  onShadow: (artefact: string | null) => void
}

/** A further model, and the shadow. */
function Choices({ deployment, shares, shadow, message, isLocked, onAdd, onShadow }: ChoicesProps) {
  const { t } = useTranslation('deployments')
  const nameOf = useModelLabel(deployment.project)
  const taken = new Set(shares.map((each) => each.artefact))
  const free = (useModelChoices(deployment.project).data ?? [])
    .filter((model) => !taken.has(model.id))
    .map((model) => ({ value: model.id, label: nameOf(model.id) }))
  if (isLocked && shadow === null) return null
  return (
    <Group align="flex-start">
      {!isLocked && shares.length < MAX_MODELS && (
        <Select
          label={t('traffic.add')}
          placeholder={t(free.length ? 'traffic.choose' : 'traffic.no_other')}
          disabled={free.length === 0}
          w={280}
          searchable
          value={null}
          data={free.filter((each) => each.value !== shadow)}
          onChange={(artefact) => artefact && onAdd(artefact)}
        />
      )}
      <Select
        label={t('traffic.shadow')}
        description={t('traffic.shadow_help')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={t('traffic.no_shadow')}
        disabled={isLocked || (free.length === 0 && shadow === null)}
        error={message && t('traffic.not_loaded', { message })}
        w={{ base: '100%', sm: 400 }}
        searchable
        clearable
        value={shadow}
        data={free}
        onChange={onShadow}
      />
    </Group>
  )
}
