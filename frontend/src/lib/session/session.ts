/** Who is signed in, and in which workspace. */
import { useQuery } from '@tanstack/react-query'

import { api, data } from '../api/client'
import type { Role } from '../api/types'

export const ME = ['me'] as const
const KEPT = 'modelyard.workspace'

export function useMe() {
  return useQuery({ queryKey: ME, queryFn: () => data(api.GET('/api/auth/me')), staleTime: 60_000, retry: false })
}

/** The workspace last used, else the first. Only below the shell, where somebody is signed in. */
export function useWorkspace() {
  const me = useMe()
  const workspaces = me.data?.workspaces ?? []
  return workspaces.find((one) => one.id === localStorage.getItem(KEPT)) ?? workspaces[0]
}

export function chooseWorkspace(id: string): void {
  localStorage.setItem(KEPT, id)
}

const RANK: Record<Role, number> = { viewer: 0, labeller: 1, engineer: 2, owner: 3 }

/** Whether the person's role in the present workspace is this one or higher; the server decides anyway. */
export function useHasRole(role: Role): boolean {
  const workspace = useWorkspace()
  return workspace !== undefined && RANK[workspace.role as Role] >= RANK[role]
}
