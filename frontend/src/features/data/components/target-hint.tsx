import { Alert, Button, Group } from '@mantine/core'
import { IconTarget } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useColumns } from '../../../lib/table/columns'

/** Links a table without a target to the page where it is chosen. */
export function TargetHint({ project }: { project: string }) {
  const { t } = useTranslation('data')
  const table = useColumns().data
  if (!table || table.columns.length === 0 || table.target !== null) return null
  return (
    <Alert mb="md" py="xs" variant="light" icon={<IconTarget size={18} />}>
      <Group justify="space-between" wrap="nowrap">
        <span>{t('grid.choose_target')}</span>
        <Button component={Link} to={`/projects/${project}/columns`} flex="none">
          {t('grid.to_columns')}
        </Button>
      </Group>
    </Alert>
  )
}
