import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useProjectId } from '../../../lib/project/project'

export function BackToVersions() {
  const { t } = useTranslation('versions')
  return (
    <Button variant="default" component={Link} to={`/projects/${useProjectId()}/versions`} leftSection={<IconArrowLeft size={14} />}>
      {t('title')}
    </Button>
  )
}
