import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { EmptyState } from '../../../ui/empty-state'
import { PageHeader } from '../../../ui/page-header'

/** For those who may look but not label. */
export function OnlyLook({ project }: { project: string }) {
  const { t } = useTranslation('labelling')
  return (
    <>
      <PageHeader title={t('title')} />
      <EmptyState
        drawing="labels"
        title={t('only_look.title')}
        action={
          <Button component={Link} to={`/projects/${project}/data`}>
            {t('only_look.action')}
          </Button>
        }
      >
        {t('only_look.text')}
      </EmptyState>
    </>
  )
}
