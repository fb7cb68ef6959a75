import { NumberInput, Select, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { DATA_PARALLEL_WAYS, type DataParallel, isSeveral } from '../model/study-form'
import type { StudyFormState } from './use-study-form'

const ORDER = ['label', 'input', 'description'] as const

/** How many processes train a network, on how many hosts, and how they put their gradients together. */
export function ProcessFields({ form }: { form: StudyFormState }) {
  const { t } = useTranslation('studies')
  const { values, change } = form
  const { way, bucket_mb, sends_bf16 } = values.data_parallel
  const changeHow = (changes: Partial<DataParallel>) => change({ data_parallel: { ...values.data_parallel, ...changes } })
  return (
    <>
      <NumberInput
        label={t('form.num_processes')}
        description={t('form.num_processes_help')}
        inputWrapperOrder={[...ORDER]}
        min={1}
        max={16}
        allowDecimal={false}
        value={values.num_processes}
        onChange={(value) => change({ num_processes: Number(value) || 1 })}
      />
      <NumberInput
        label={t('form.num_hosts')}
        description={t('form.num_hosts_help')}
        inputWrapperOrder={[...ORDER]}
        min={1}
        max={16}
        allowDecimal={false}
        value={values.num_hosts}
        onChange={(value) => change({ num_hosts: Number(value) || 1 })}
      />
      {isSeveral(values) && (
        <>
          <Select
            label={t('form.data_parallel')}
            description={t(`form.data_parallel_${way}_help`)}
            inputWrapperOrder={[...ORDER]}
            allowDeselect={false}
            value={way}
            data={DATA_PARALLEL_WAYS.map((name) => ({ value: name, label: t(`form.data_parallel_${name}`) }))}
            onChange={(name) => name && changeHow({ way: name as DataParallel['way'] })}
          />
          {way !== 'fsdp' && (
            <NumberInput
              label={t('form.bucket_mb')}
              min={1}
              max={1024}
              allowDecimal={false}
              value={bucket_mb}
              onChange={(value) => changeHow({ bucket_mb: Number(value) || 25 })}
            />
          )}
          <Switch
            label={t('form.sends_bf16')}
            description={t('form.sends_bf16_help')}
            checked={sends_bf16}
            onChange={(event) => changeHow({ sends_bf16: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  )
}
