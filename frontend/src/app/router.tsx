import { createBrowserRouter, Navigate } from 'react-router'

import { routesOf } from './features'
import { ProjectLayout } from './project-layout'
import { RouteError } from './route-error'
import { Shell } from './shell'

/** A blank of the page's colour while its chunk loads: nothing flashes. */
const Blank = () => null

export const router = createBrowserRouter([
  { HydrateFallback: Blank, errorElement: <RouteError />, children: routesOf('public') },
  {
    element: <Shell />,
    HydrateFallback: Blank,
    errorElement: <RouteError />,
    children: [
      { index: true, element: <Navigate to="/projects" replace /> },
      ...routesOf('workspace'),
      { path: 'projects/:project', element: <ProjectLayout />, children: routesOf('project') },
      { path: '*', element: <RouteError /> },
    ],
  },
])
