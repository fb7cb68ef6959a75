import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api, data } from '../../../lib/api/client'
import type { Me } from '../../../lib/api/types'
import { ME } from '../../../lib/session/session'

const SHOWN = { isErrorShown: true }

/** What the installation offers in front of the sign-in, and where a sign-in stands. */
export function useSignInOptions() {
  return useQuery({ queryKey: ['sign-in-options'], queryFn: () => data(api.GET('/api/auth/options')), staleTime: 0 })
}

/** Makes a person the one who is signed in here. */
export function useEnter(): (me: Me) => void {
  const queries = useQueryClient()
  return (me) => {
    queries.clear()
    queries.setQueryData(ME, me)
  }
}

export function useSignIn() {
  return useMutation({
    meta: SHOWN,
    mutationFn: (body: { email: string; password: string }) => data(api.POST('/api/auth/sign-in', { body })),
  })
}

export function useSecondFactor() {
  return useMutation({ meta: SHOWN, mutationFn: (code: string) => data(api.POST('/api/auth/second-factor', { body: { code } })) })
}

/** Sends the browser to a provider of identities. */
export function useProvider() {
  return useMutation({
    meta: SHOWN,
    mutationFn: (body: { provider: string; next: string; invitation?: string }) => data(api.POST('/api/auth/provider', { body })),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}

export function useResetMail() {
  return useMutation({ meta: SHOWN, mutationFn: (email: string) => api.POST('/api/auth/password-reset', { body: { email } }) })
}

export function useNewPassword() {
  return useMutation({
    meta: SHOWN,
    mutationFn: (body: { key: string; password: string }) => api.POST('/api/auth/password-reset/confirm', { body }),
  })
}

export function useConfirmEmail() {
  return useMutation({ meta: SHOWN, mutationFn: (key: string) => api.POST('/api/auth/email/confirm', { body: { key } }) })
}

export function useInvitation(secret: string) {
  return useQuery({
    queryKey: ['invitation', secret],
    enabled: secret !== '',
    retry: false,
    queryFn: () => data(api.POST('/api/invitations/look', { body: { secret } })),
  })
}

export function useAccept() {
  return useMutation({ meta: SHOWN, mutationFn: (secret: string) => data(api.POST('/api/invitations/accept', { body: { secret } })) })
}
