import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Plan } from '../api/label-changes'
import { ChangeDialog } from './change-dialog'

interface MergeDialogProps {
  project: string
  sources: string[]
  onDone: (change: string) => void
  onClose: () => void
}

/** Several labels become one. */
export function MergeDialog({ project, sources, onDone, onClose }: MergeDialogProps) {
  const { t } = useTranslation('labels')
  const [target, setTarget] = useState(sources[0] ?? '')
  const [targetName] = useDebouncedValue(target.trim(), 300)
  const plan = useMemo<Plan | null>(() => (targetName ? { kind: 'merge', sources, target: targetName } : null), [sources, targetName])
  return (
    <ChangeDialog
      project={project}
      title={t('merge.title', { names: sources.join(', ') })}
      action={t('merge.action', { count: sources.length })}
      plan={plan}
      onDone={onDone}
      onClose={onClose}
    >
      <Autocomplete
        data-autofocus
        openOnFocus={false}
        label={t('merge.into')}
        description={t('merge.into_text')}
        data={sources}
        value={target}
        onChange={setTarget}
      />
    </ChangeDialog>
  )
}
