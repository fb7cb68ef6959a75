import { Button, Container } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Link, useParams, useRouteError } from 'react-router'

import { api, data } from '../lib/api/client'
import { EmptyState } from '../ui/empty-state'
import { ErrorState } from '../ui/error-state'

const ASK_EACH_MS = 3000

/** Part of the app did not come: without a server, or from one that serves a newer app. Every browser words it in its own way. */
const isUnloaded = (error: unknown) =>
  error instanceof Error && /dynamically imported module|importing a module script|preload css/i.test(error.message)

interface RouteErrorProps {
  /** Whether the project of the address is there to go back to. */
  hasProject?: boolean
}

/** A page that is not there, or one that broke. */
export function RouteError({ hasProject = true }: RouteErrorProps) {
  const { t } = useTranslation('common')
  const error = useRouteError()
  const { project } = useParams()
  const isMissing = error == null || (isRouteErrorResponse(error) && error.status === 404)
  return (
    <Container size="sm" py="xl">
      {isMissing ? (
        <EmptyState
          drawing="lost"
          isPage
          title={t('error.not_found')}
          action={
            project && hasProject ? (
              <Button component={Link} to={`/projects/${project}`}>
                {t('error.to_project')}
              </Button>
            ) : (
              <Button component={Link} to="/projects">
                {t('error.to_projects')}
              </Button>
            )
          }
        >
          {t('error.not_found_text')}
        </EmptyState>
      ) : isUnloaded(error) ? (
        <Unloaded />
      ) : (
        <ErrorState error={error} onRetry={() => window.location.reload()} />
      )}
    </Container>
  )
}

/** Loads the page anew once the server answers; without one the browser would show a page of its own. */
function Unloaded() {
  const { t } = useTranslation('common')
  useEffect(() => {
    const timer = setInterval(reload, ASK_EACH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <EmptyState
      drawing="offline"
      title={t('error.unloaded')}
      action={
        <Button variant="default" onClick={reload}>
          {t('error.retry')}
        </Button>
      }
    >
      {t('error.unloaded_text')}
    </EmptyState>
  )
}

const reload = () =>
  void data(api.GET('/api/health')).then(
    () => window.location.reload(),
    () => undefined,
  )
