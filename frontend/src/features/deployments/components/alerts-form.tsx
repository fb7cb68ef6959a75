import { Alert, Button, Code, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatLatency } from '../../../charts/format/format'
import { afterMutation } from '../../../lib/after-mutation'
import { useLocalText } from '../../../lib/local-text'
import { confirm } from '../../../ui/confirm'
import { CopyButton } from '../../../ui/copy-button'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { notifyDone } from '../../../ui/notify'
import { useAlertSettings, useRenewSecret, useSetAlerts, useTestAlerts } from '../api/alerts'
import type { AlertSettings, AlertTested } from '../api/types'
import { type AlertsRequest, chosen, formOf } from '../model/alerts-form'
import { LimitSwitch } from './limit-switch'

/** What is watched and where alerts go. A secret that was made just now is shown until the form is closed. */
export function AlertsForm({ deployment }: { deployment: string }) {
  const settings = useAlertSettings(deployment)
  const [secret, setSecret] = useState<string | null>(null)
  if (settings.isPending) return <LoadingState rows={3} />
  if (settings.isLoadingError) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
  return (
    <Stack gap="sm">
      <Fields key={JSON.stringify(settings.data)} deployment={deployment} settings={settings.data} onSecret={setSecret} />
      {secret !== null && <Secret secret={secret} />}
    </Stack>
  )
}

interface FieldsProps {
  deployment: string
  settings: AlertSettings
  onSecret: (secret: string) => void
}

function Fields({ deployment, settings, onSecret }: FieldsProps) {
  const { t } = useTranslation('deployments')
  const before = formOf(settings)
  const [form, setForm] = useState(before)
  const set = useSetAlerts(deployment)
  const test = useTestAlerts(deployment)
  const isChanged = !settings.is_saved || JSON.stringify(form) !== JSON.stringify(before)
  const save = () =>
    afterMutation(set.mutateAsync(form), ({ secret }) => {
      if (secret !== null) onSecret(secret)
      notifyDone(t('alerts.saved'))
    })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="sm">
        <Conditions settings={settings} form={form} onChange={setForm} />
        <TextInput
          type="url"
          label={t('alerts.webhook')}
          description={t('alerts.webhook_help')}
          placeholder="https://"
          value={form.webhook_url}
          onChange={(event) => setForm({ ...form, webhook_url: event.currentTarget.value })}
        />
        {settings.has_mail && (
          <TagsInput
            label={t('alerts.emails')}
            description={t('alerts.emails_help')}
            splitChars={[',', ';', ' ']}
            value={form.emails}
            onChange={(emails) => setForm({ ...form, emails })}
          />
        )}
        {set.isError && <ErrorState error={set.error} />}
        <Group gap="xs">
          <Button type="submit" disabled={!isChanged} loading={set.isPending}>
            {t('alerts.save')}
          </Button>
          {(settings.webhook_url || settings.emails.length > 0) && (
            <Button variant="default" disabled={isChanged} loading={test.isPending} onClick={() => test.mutate()}>
              {t('alerts.test')}
            </Button>
          )}
          {settings.webhook_url && <RenewButton deployment={deployment} onSecret={onSecret} />}
        </Group>
        {test.isError && <ErrorState error={test.error} />}
        {test.data?.map((each) => (
          <Result key={`${each.channel} ${each.target}`} tested={each} />
        ))}
      </Stack>
    </form>
  )
}

interface ConditionsProps {
  settings: AlertSettings
  form: AlertsRequest
  onChange: (form: AlertsRequest) => void
}

function Conditions({ settings, form, onChange }: ConditionsProps) {
  const { t } = useTranslation('deployments')
  const localText = useLocalText()
  return (
    <Stack gap="xs" role="group" aria-label={t('alerts.conditions')}>
      <Text size="sm" fw={600}>
        {t('alerts.conditions')}
      </Text>
      {settings.conditions.map(({ condition, title, limit }) => {
        const choice = form.conditions.find((each) => each.condition === condition)
        return (
          <LimitSwitch
            key={condition}
            title={localText(title)}
            isOn={choice?.is_on ?? false}
            limit={limit && { ...limit, label: localText(limit.label), value: choice?.limit ?? null }}
            onSwitch={(is_on) => onChange(chosen(form, condition, { is_on }))}
            onLimit={(value) => onChange(chosen(form, condition, { limit: value }))}
          />
        )
      })}
    </Stack>
  )
}

function RenewButton({ deployment, onSecret }: Pick<FieldsProps, 'deployment' | 'onSecret'>) {
  const { t } = useTranslation('deployments')
  const renew = useRenewSecret(deployment)
  const ask = () =>
    confirm({
      title: t('alerts.renew_title'),
      children: t('alerts.renew_text'),
      confirm: t('alerts.renew'),
      onConfirm: () => afterMutation(renew.mutateAsync(), ({ secret }) => onSecret(secret)),
    })
  return (
    <Button variant="default" loading={renew.isPending} onClick={ask}>
      {t('alerts.renew')}
    </Button>
  )
}

function Result({ tested: { target, is_delivered, status, took_ms, reason } }: { tested: AlertTested }) {
  const { t } = useTranslation('deployments')
  const localText = useLocalText()
  if (is_delivered) return <Text size="sm">{t('alerts.tested', { target, time: formatLatency(took_ms) })}</Text>
  return (
    <Text size="sm" c="red">
      {t(status === null ? 'alerts.refused' : 'alerts.answered', { target, status, reason: reason ? localText(reason) : '' })}
    </Text>
  )
}

function Secret({ secret }: { secret: string }) {
  const { t } = useTranslation('deployments')
  return (
    <Alert color="yellow" py="xs" icon={<IconKey size={16} />}>
      <Text size="sm">{t('alerts.secret')}</Text>
      <Group gap={6} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
        <CopyButton value={secret} />
      </Group>
    </Alert>
  )
}
