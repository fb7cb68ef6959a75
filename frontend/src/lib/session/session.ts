/** Who is signed in, and in which workspace. */
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useParams } from 'react-router'

import { api, data } from '../api/client'
import type { Role } from '../api/types'
import { projectQuery } from '../project/project'

export const ME = ['me'] as const
const STORAGE_KEY = 'modelyard.workspace'

export function useMe() {
  return useQuery({ queryKey: ME, queryFn: () => data(api.GET('/api/auth/me')), staleTime: 60_000, retry: false })
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The workspace last used, else the first. Only below the shell, where somebody is signed in. */
export function useWorkspace() {
  const workspaces = useMe().data?.workspaces ?? []
  const stored = useSyncExternalStore(subscribe, () => localStorage.getItem(STORAGE_KEY))
  return workspaces.find((one) => one.id === stored) ?? workspaces[0]
}

export function chooseWorkspace(id: string): void {
  localStorage.setItem(STORAGE_KEY, id)
  listeners.forEach((listener) => listener())
}

/** A guest looks at the pages of a workspace, which show only the projects that name them. */
const RANK: Record<Role, number> = { annotator: 0, guest: 1, viewer: 1, labeller: 2, engineer: 3, owner: 4 }

/** Tells whether the person's role in the project of the address, or else in the present workspace, is a given one or higher. */
export function useRoleCheck(): (role: Role) => boolean {
  const workspace = useWorkspace()
  const { project } = useParams()
  // Looked at only: the shell fetches it, and one that is not there must not be asked for by every page that asks for a role.
  const there = useQuery({ ...projectQuery(project ?? ''), enabled: false }).data
  const own = there?.role ?? workspace?.role
  return (role) => own !== undefined && RANK[own] >= RANK[role]
}

export function useHasRole(role: Role): boolean {
  return useRoleCheck()(role)
}
