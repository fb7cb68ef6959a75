import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import { useProject } from '../project/project'
import { isIgnored } from './ignored'

/** What people read for a label of the project's data. */
export function useLabelName(): (label: string) => string {
  const { t } = useTranslation('canvas')
  const labels = useProject().data?.label_set.labels
  return useCallback((label) => (labels && isIgnored(label, labels) ? t('labels.ignored') : label), [labels, t])
}
