import { Button, Container } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'

import { EmptyState } from '../ui/empty-state'
import { ErrorState } from '../ui/error-state'

/** A page that is not there, or one that broke. */
export function RouteError() {
  const { t } = useTranslation('common')
  const error = useRouteError()
  const isMissing = error == null || (isRouteErrorResponse(error) && error.status === 404)
  return (
    <Container size="sm" py="xl">
      {isMissing ? (
        <EmptyState
          title={t('error.not_found')}
          action={
            <Button component={Link} to="/projects">
              {t('nav.projects')}
            </Button>
          }
        />
      ) : (
        <ErrorState error={error} onRetry={() => window.location.reload()} />
      )}
    </Container>
  )
}
