import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useProjectId } from '../../../lib/project/project'
import { useModelName } from '../../../lib/project/task'
import { useStartModels } from '../api/get-start-models'
import type { StudyFormState } from './use-study-form'

/** Whether training begins anew or goes on from an earlier model; not there where there is none to go on from. */
export function StartField({ form }: { form: StudyFormState }) {
  const { t } = useTranslation('studies')
  const modelName = useModelName()
  const models = useStartModels(useProjectId()).data ?? []
  if (!models.length) return null
  const choose = (id: string | null) => {
    const model = models.find((each) => each.id === id)
    form.chooseStart(model ? { id: model.id, ...model.manifest.train } : null)
  }
  return (
    <Select
      label={t('form.start')}
      description={t('form.start_help')}
      inputWrapperOrder={['label', 'input', 'description']}
      placeholder={t('form.start_new')}
      clearable
      value={form.values.start?.id ?? null}
      onChange={choose}
      data={models.map((model) => ({
        value: model.id,
        label: t('form.start_choice', {
          number: model.number,
          model: modelName(model.family, model.size),
          version: model.version_number,
        }),
      }))}
    />
  )
}
