import { useTranslation } from 'react-i18next'

import { useLocalText } from '../../../lib/local-text'
import type { Artefact } from '../api/types'

/** What a model is called, with how it was compressed and which model it was made from. */
export function useVariantName(): (name: string, artefact: Pick<Artefact, 'variant'>) => string {
  const { t } = useTranslation('models')
  const text = useLocalText()
  return (name, { variant }) => {
    if (!variant) return name
    const values = { name, method: text(variant.title), number: variant.parent_number }
    return variant.parent_number === null ? t('compression.named_alone', values) : t('compression.named', values)
  }
}
