/** What a person changes from any page: the language, the workspace, whether they are signed in. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { type Language, setLanguage } from '../i18n'
import { api } from '../lib/api/client'
import type { Me } from '../lib/api/types'
import { chooseWorkspace, ME } from '../lib/session/session'
import { notifyError } from '../ui/notify'

export function useLanguageChoice(me: Me): (language: Language) => void {
  const queries = useQueryClient()
  return (language) => {
    queries.setQueryData(ME, { ...me, language })
    void setLanguage(language)
    api.PATCH('/api/auth/me', { body: { language } }).catch(notifyError)
  }
}

export function useWorkspaceChoice(): (id: string) => void {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (id) => {
    chooseWorkspace(id)
    void navigate('/projects')
    void queries.invalidateQueries()
  }
}

export function useSignOut() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => api.POST('/api/auth/sign-out'),
    onSuccess: () => {
      queries.clear()
      void navigate('/sign-in')
    },
  })
}
