import { useTranslation } from 'react-i18next'

import { formatCompact } from '../../../lib/format'
import { useLocalText } from '../../../lib/local-text'
import type { Family } from '../api/types'
import { bySize, isUntaught } from '../model/sizes'

/** A family's sizes for a list, the smallest first, each with its parameters and whether it begins with random numbers. */
export function useSizeChoices(): (family: Family) => { value: string; label: string }[] {
  const { t } = useTranslation('studies')
  const text = useLocalText()
  return (family) =>
    bySize(family.sizes).map((size) => {
      const parts = [
        text(size.title),
        size.num_parameters > 0 && t('form.size_parameters', { number: formatCompact(size.num_parameters) }),
        isUntaught(family, size) && t('form.size_untaught'),
      ]
      return { value: size.name, label: parts.filter(Boolean).join(' · ') }
    })
}
