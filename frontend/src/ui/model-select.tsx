import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { useModelName } from '../lib/project/task'
import { useModelChoices } from '../lib/project/choices'

interface ModelSelectProps {
  project: string
  value: string
  error?: ReactNode
  onChange: (artefact: string) => void
}

/** Chooses a model; the production model is marked. */
export function ModelSelect({ project, value, error, onChange }: ModelSelectProps) {
  const { t } = useTranslation('deployments')
  const modelName = useModelName()
  const models = useModelChoices(project)
  const data = (models.data ?? []).map((model) => ({
    value: model.id,
    label: [
      t('form.model_choice', { number: model.number, name: modelName(model.family, model.size, model.num_members) }),
      ...(model.stage === 'none' ? [] : [t(`common:state.${model.stage}`)]),
    ].join(' · '),
  }))
  return (
    <Select
      label={t('form.model')}
      searchable={data.length > 8}
      value={value || null}
      data={data}
      error={error}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  )
}
