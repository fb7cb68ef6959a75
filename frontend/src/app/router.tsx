import { lazy, Suspense } from 'react'
import { createBrowserRouter, Navigate, type RouteObject, useLocation } from 'react-router'

import { routesOf } from './features'
import { RouteError } from './route-error'
import { loadAllWords } from '../i18n'
import { cookie } from '../lib/api/cookies'
import { useHasRole } from '../lib/session/session'

/** A blank of the page's colour while its chunk loads: nothing flashes. */
const Blank = () => null

/** What breaks on a page leaves what is around it: one goes on by the rail. */
const guarded = (routes: RouteObject[]): RouteObject => ({ errorElement: <RouteError />, children: routes })

const Shell = lazy(async () => {
  const [{ Shell: shell }] = await Promise.all([import('./shell'), loadAllWords()])
  return { default: shell }
})

/** Whoever has never signed in here loads nothing that only others see. */
function SignedIn() {
  const { pathname, search } = useLocation()
  if (!cookie('csrftoken')) return <Navigate to="/sign-in" replace state={{ from: pathname + search }} />
  return (
    <Suspense>
      <Shell />
    </Suspense>
  )
}

const loadProjectLayout = () => import('./project-layout').then(({ ProjectLayout }) => ({ Component: ProjectLayout }))

/** Where a person starts: who only labels what is shared out starts there. */
function Home() {
  return <Navigate to={useHasRole('viewer') ? '/projects' : '/tasks'} replace />
}

export const router = createBrowserRouter([
  { HydrateFallback: Blank, errorElement: <RouteError />, children: routesOf('public') },
  {
    element: <SignedIn />,
    HydrateFallback: Blank,
    errorElement: <RouteError />,
    children: [
      guarded([
        { index: true, element: <Home /> },
        ...routesOf('workspace'),
        {
          path: 'projects/:project',
          lazy: loadProjectLayout,
          children: [guarded([...routesOf('project'), { path: '*', element: <RouteError /> }])],
        },
        { path: '*', element: <RouteError /> },
      ]),
    ],
  },
])
