import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../../lib/api/client'
import type { Shares } from '../model/shares'
import type { SplitRule, Version } from './types'

interface NewVersion {
  project: string
  note: string
  /** Only the first version of a project chooses its shares. */
  shares: Shares | null
  /** None: as before. */
  rule: SplitRule | null
}

export type CreatedVersion =
  | { kind: 'new' | 'same'; version: Version }
  /** So large that it is made in the background. */
  | { kind: 'job' }

export function useCreateVersion() {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: async (body: NewVersion): Promise<CreatedVersion> => {
      const { data: answer, response } = await api.POST('/api/labeling/snapshots', { body })
      if (!answer || 'job' in answer) return { kind: 'job' }
      return { kind: response.status === 201 ? 'new' : 'same', version: answer }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['versions'] }),
  })
}
