import { Alert, Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useItemKind } from '../../../items'
import { useProject } from '../../../lib/project/project'
import { useProfile } from '../../../lib/table/profile'

/** What the profile found in whole columns, a leak of the target first; rows alone would look fine. */
export function ColumnWarnings() {
  const { t } = useTranslation('quality')
  const { labelsFrom } = useItemKind()
  const dataset = useProject().data?.dataset ?? ''
  const profile = useProfile(labelsFrom === 'columns' ? dataset : '').data?.profile
  const warnings = profile?.warnings ?? []
  const leaks = warnings.flatMap(({ code, column }) => (code === 'leaks_target' && column ? [column] : []))
  if (warnings.length === 0) return null
  return (
    <Alert variant="light" color={leaks.length ? 'red' : 'yellow'} icon={<IconColumns3 size={18} />} p="sm" mb="xs">
      {leaks.length ? t('notes.column_leaks', { count: leaks.length, names: leaks }) : t('notes.columns', { count: warnings.length })}{' '}
      <Button component={Link} to="../columns" variant="subtle" size="compact-xs">
        {t('notes.show')}
      </Button>
    </Alert>
  )
}
