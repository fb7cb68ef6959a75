import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import type { Artefact } from '../api/types'

/** What a model is called, with how it was compressed and which model it was made from. */
export function useCompressedName(): (name: string, artefact: Pick<Artefact, 'compressed'>) => string {
  const { t } = useTranslation('models')
  const text = useLocalText()
  return (name, { compressed }) => {
    if (!compressed) return name
    const values = { name, method: text(compressed.title), number: compressed.parent_number }
    return compressed.parent_number === null ? t('compression.named_alone', values) : t('compression.named', values)
  }
}
