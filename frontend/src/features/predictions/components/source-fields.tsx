import { Radio, Select, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useHasRole } from '../../../lib/session/session'
import type { Source, Version } from '../api/types'
import type { PredictionForm } from '../model/prediction-form'
import { FilesField } from './files-field'
import { ItemFields } from './item-fields'

interface SourceFieldsProps {
  form: PredictionForm
  versions: readonly Version[]
  onChange: (changes: Partial<PredictionForm>) => void
}

/** What to predict: what is in the project, a version of it, or files that are sent for it. */
export function SourceFields({ form, versions, onChange }: SourceFieldsProps) {
  const { t } = useTranslation('predictions')
  const canSend = useHasRole('engineer')
  const sources: Source[] = ['items', ...(versions.length ? (['version'] as const) : []), ...(canSend ? (['files'] as const) : [])]
  return (
    <Stack gap="sm">
      <Radio.Group label={t('form.source')} value={form.source} onChange={(source) => onChange({ source: source as Source })}>
        <Stack gap={8} mt={6}>
          {sources.map((source) => (
            <Radio key={source} value={source} label={t(`form.source_of.${source}`)} description={t(`form.source_help.${source}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {form.source === 'items' && <ItemFields choice={form.items} onChange={(items) => onChange({ items })} />}
      {form.source === 'version' && (
        <Select
          label={t('form.version')}
          placeholder={t('form.version_choose')}
          value={form.version || null}
          data={versions.map(({ id, number, num_items }) => ({ value: id, label: t('form.version_choice', { number, count: num_items }) }))}
          onChange={(version) => onChange({ version: version ?? '' })}
        />
      )}
      {form.source === 'files' && <FilesField files={form.files} onChange={(files) => onChange({ files })} />}
    </Stack>
  )
}
