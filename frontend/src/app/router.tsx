import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'

import { routesOf } from './features'
import { ProjectLayout } from './project-layout'
import { RouteError } from './route-error'
import { Shell } from './shell'
import { useHasRole } from '../lib/session/session'

/** A blank of the page's colour while its chunk loads: nothing flashes. */
const Blank = () => null

/** What breaks on a page leaves what is around it: one goes on by the rail. */
const guarded = (routes: RouteObject[]): RouteObject => ({ errorElement: <RouteError />, children: routes })

/** Where a person starts: who only labels what is shared out starts there. */
function Home() {
  return <Navigate to={useHasRole('viewer') ? '/projects' : '/tasks'} replace />
}

export const router = createBrowserRouter([
  { HydrateFallback: Blank, errorElement: <RouteError />, children: routesOf('public') },
  {
    element: <Shell />,
    HydrateFallback: Blank,
    errorElement: <RouteError />,
    children: [
      guarded([
        { index: true, element: <Home /> },
        ...routesOf('workspace'),
        { path: 'projects/:project', element: <ProjectLayout />, children: [guarded(routesOf('project'))] },
        { path: '*', element: <RouteError /> },
      ]),
    ],
  },
])
