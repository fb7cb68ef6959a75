import { Button, Group, Modal, Radio, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { ApiKey, Role } from '../../../lib/api/types'
import { ErrorState } from '../../../ui/error-state'
import { useDeploymentChoices, useMakeKey, useProjectChoices } from '../api/settings'
import { EXPIRIES, type KeyForm, keyBody, SCOPES } from '../model/key-form'
import { RoleSelect } from '../../../ui/role-select'

interface NewKeyDialogProps {
  workspace: string
  onClose: () => void
  onMade: (key: ApiKey, secret: string) => void
}

/** What a new key is for, and for how long. */
export function NewKeyDialog({ workspace, onClose, onMade }: NewKeyDialogProps) {
  const { t } = useTranslation('settings')
  const make = useMakeKey(workspace)
  const [form, setForm] = useState<KeyForm>({ name: '', scope: 'predict', role: 'engineer', project: null, deployment: null, days: '90' })
  const change = (values: Partial<KeyForm>) => setForm((before) => ({ ...before, ...values }))
  const projects = useProjectChoices(workspace)
  const deployments = useDeploymentChoices(form.scope === 'deployment' ? form.project : null)
  const isWhole = form.scope === 'deployment' ? form.deployment !== null : form.scope !== 'project' || form.project !== null
  return (
    <Modal opened onClose={onClose} title={t('keys.make')} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate(keyBody(form, Date.now()), { onSuccess: (made) => onMade(made.key, made.secret) })
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            label={t('keys.name')}
            placeholder={t('keys.name_example')}
            required
            maxLength={100}
            value={form.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Radio.Group label={t('keys.scope')} value={form.scope} onChange={(scope) => change({ scope: scope as KeyForm['scope'] })}>
            <Stack gap={8} mt={6}>
              {SCOPES.map((scope) => (
                <Radio key={scope} value={scope} label={t(`keys.scopes.${scope}`)} description={t(`keys.scopes.${scope}_text`)} />
              ))}
            </Stack>
          </Radio.Group>
          {(form.scope === 'project' || form.scope === 'deployment') && (
            <Select
              label={t('keys.project')}
              searchable
              data={(projects.data?.items ?? []).map((project) => ({ value: project.id, label: project.name }))}
              nothingFoundMessage={t('keys.no_project')}
              value={form.project}
              onChange={(project) => change({ project, deployment: null })}
            />
          )}
          {form.scope === 'deployment' && form.project && (
            <Select
              label={t('keys.deployment')}
              data={(deployments.data?.items ?? []).map((deployment) => ({ value: deployment.id, label: deployment.name }))}
              placeholder={deployments.data?.items.length === 0 ? t('keys.no_deployment') : undefined}
              value={form.deployment}
              onChange={(deployment) => change({ deployment })}
            />
          )}
          {(form.scope === 'project' || form.scope === 'workspace') && (
            <RoleSelect label={t('roles:title')} value={form.role} onChange={(role: Role) => change({ role })} />
          )}
          <Select
            label={t('keys.expires')}
            description={form.days === 'never' ? t('keys.never_text') : undefined}
            allowDeselect={false}
            data={EXPIRIES.map((days) => ({ value: days, label: t(`keys.expiries.${days}`) }))}
            value={form.days}
            onChange={(days) => days && change({ days: days as KeyForm['days'] })}
          />
          {make.isError && <ErrorState error={make.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={make.isPending} disabled={!form.name.trim() || !isWhole}>
              {t('keys.make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
