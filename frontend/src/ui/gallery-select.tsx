import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface GallerySelectProps {
  galleries: readonly { id: string; name: string; num_names: number }[]
  value: string | null
  /** What happens to the gallery, where one is chosen. */
  help: string
  onChange: (gallery: string | null) => void
}

/** With the names of which gallery a model answers that compares pictures; nothing where there is none to choose. */
export function GallerySelect({ galleries, value, help, onChange }: GallerySelectProps) {
  const { t } = useTranslation('models')
  if (galleries.length === 0) return null
  return (
    <Select
      label={t('exports.answers')}
      description={value ? help : t('exports.vector_help')}
      data={[
        { value: '', label: t('exports.vectors') },
        ...galleries.map(({ id, name, num_names }) => ({ value: id, label: t('exports.of_gallery', { name, count: num_names }) })),
      ]}
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen || null)}
      allowDeselect={false}
    />
  )
}
