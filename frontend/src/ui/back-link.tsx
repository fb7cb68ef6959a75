import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'

import { wayBackOf } from '../lib/way-back'

/** Leads back to the page that sent somebody here; nothing for those who came by themselves. */
export function BackLink() {
  const { t } = useTranslation('common')
  const back = wayBackOf(useLocation().state)
  if (!back) return null
  return (
    <Button variant="light" component={Link} to={back.to} leftSection={<IconArrowLeft size={14} />}>
      {t('back_to', { name: back.name })}
    </Button>
  )
}
