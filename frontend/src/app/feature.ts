/** What each feature provides: `features/<noun>/routes.tsx` exports it as default and is found by listing. */
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'

import type { Role } from '../lib/api/types'

interface Entry {
  /** Path below the scope, without a slash in front; empty for the scope's first page. */
  path: string
  icon: ComponentType<{ size?: number | string; stroke?: number }>
  /** The role from which on it is shown; `viewer` when absent. */
  needs?: Role
}

export interface NavEntry extends Entry {
  /** Key in the dictionary `common`, below `nav`. */
  label: string
  /** Place in the rail, from small to large. */
  order: number
}

/** A page that only the command palette finds: a tab, a form, a list behind another page. */
export interface FurtherPage extends Entry {
  /** Key with its dictionary, as in `settings:keys.title`. */
  label: string
}

export interface Feature {
  /** `public`: without an account; `workspace`: below `/`; `project`: below `/projects/:project/`. */
  scope: 'public' | 'workspace' | 'project'
  nav?: NavEntry[]
  further?: FurtherPage[]
  /** Pages are loaded when they are opened: `{ path, lazy: () => import('./pages/x') }` with an export named `Component`. */
  routes: RouteObject[]
  /** Called once a person is known, on whichever page: for work that must go on wherever they are. */
  onSignedIn?: (person: string) => void
}
