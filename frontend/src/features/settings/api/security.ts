import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'

const FACTOR = ['second-factor'] as const
const SESSIONS = ['sessions'] as const
const SHOWN = { isErrorShown: true }

export function useFactor() {
  return useQuery({ queryKey: FACTOR, queryFn: () => data(api.GET('/api/auth/totp')) })
}

/** A change of the second factor; what is shown of it is asked for again. */
function useFactorChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({ meta: SHOWN, mutationFn: change, onSuccess: () => queries.invalidateQueries({ queryKey: FACTOR }) })
}

export const useReauthenticate = () =>
  useFactorChange((body: { password?: string; code?: string }) => api.POST('/api/auth/reauthenticate', { body }))
export const useSetup = () => useFactorChange(() => data(api.GET('/api/auth/totp/setup')))
export const useSwitchOn = () => useFactorChange((code: string) => data(api.POST('/api/auth/totp', { body: { code } })))
export const useSwitchOff = () => useFactorChange(() => api.DELETE('/api/auth/totp'))
export const useCodes = () => useFactorChange(() => data(api.GET('/api/auth/recovery-codes')))
export const useNewCodes = () => useFactorChange(() => data(api.POST('/api/auth/recovery-codes')))

export const useDeleteAccount = () => useMutation({ meta: SHOWN, mutationFn: () => api.DELETE('/api/auth/me') })

export function useSessions() {
  return useQuery({ queryKey: SESSIONS, queryFn: () => data(api.GET('/api/auth/sessions')) })
}

export function useEndSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (session_id: number | 'others') =>
      session_id === 'others'
        ? api.DELETE('/api/auth/sessions')
        : api.DELETE('/api/auth/sessions/{session_id}', { params: { path: { session_id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  })
}
