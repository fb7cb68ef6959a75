import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface OutputSelectProps {
  labels: readonly string[]
  value: number
  onChange: (output: number) => void
}

/** Whose answers are looked at; nothing where a number is predicted. */
export function OutputSelect({ labels, value, onChange }: OutputSelectProps) {
  const { t } = useTranslation('report')
  if (labels.length < 2) return null
  return (
    <Select
      size="xs"
      w={180}
      aria-label={t('rows.output')}
      searchable={labels.length > 8}
      value={String(value)}
      data={labels.map((label, index) => ({ value: String(index), label }))}
      onChange={(chosen) => chosen !== null && onChange(Number(chosen))}
    />
  )
}
