import { createBrowserRouter, Navigate } from 'react-router'

import { routesOf } from './features'
import { ProjectLayout } from './project-layout'
import { RouteError } from './route-error'
import { Shell } from './shell'
import { useHasRole } from '../lib/session/session'

/** A blank of the page's colour while its chunk loads: nothing flashes. */
const Blank = () => null

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
      { index: true, element: <Home /> },
      ...routesOf('workspace'),
      { path: 'projects/:project', element: <ProjectLayout />, children: routesOf('project') },
      { path: '*', element: <RouteError /> },
    ],
  },
])
