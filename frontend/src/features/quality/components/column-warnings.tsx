import { Alert, Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useItemKind } from '../../../items'
import { useProject } from '../../../lib/project/project'
import { useColumns } from '../../../lib/table/columns'
import { warningsInUse } from '../../../lib/table/in-use'
import { useProfile } from '../../../lib/table/profile'

/** What the profile found in whole columns that are learned from, a leak of the target first; rows alone would look fine. */
export function ColumnWarnings() {
  const { labelsFrom } = useItemKind()
  return labelsFrom === 'columns' && <WarningsOfTable />
}

function WarningsOfTable() {
  const { t } = useTranslation('quality')
  const profile = useProfile(useProject().data?.dataset ?? '').data?.profile
  const columns = useColumns().data?.columns
  const warnings = columns ? warningsInUse(profile?.warnings ?? [], columns) : []
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
