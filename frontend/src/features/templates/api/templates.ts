import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Answer } from '../../../lib/api/answer'
import { api, data } from '../../../lib/api/client'
import { send } from '../../../lib/api/raw'
import type { components } from '../../../lib/api/schema'

export type Template = Answer<'TemplateOut'>
export type TemplateDetail = Answer<'TemplateDetailOut'>
export type TemplateBody = components['schemas']['TemplateIn']
export type Form = Answer<'FormOut'>

const of = (template: string) => ({ params: { path: { template } } })

export function useTemplates(project: string) {
  return useInfiniteQuery({
    queryKey: ['templates', 'list', project],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      data(api.GET('/api/projects/{project}/templates', { params: { path: { project }, query: { limit: 50, cursor: pageParam } } })),
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** Asked once: what somebody marks here is not overwritten by what another person saves. */
export function useTemplate(template: string) {
  return useQuery({
    queryKey: ['templates', template],
    queryFn: () => data(api.GET('/api/templates/{template}', of(template))),
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    gcTime: 0,
  })
}

const form = (fields: Record<string, string | File>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return body
}

/** The dialog shows the error. */
export function useCreateTemplate(project: string) {
  const queries = useQueryClient()
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: ({ name, slug, file }: { name: string; slug: string; file: File }) =>
      send<TemplateDetail>(`/api/projects/${project}/templates`, { method: 'POST', body: form({ name, file, ...(slug && { slug }) }) }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['templates', 'list'] }),
  })
}

export function useSaveTemplate(template: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: TemplateBody) => data(api.PUT('/api/templates/{template}', { ...of(template), body })),
    onSuccess: (saved) => {
      queries.setQueryData(['templates', template], saved)
      return queries.invalidateQueries({ queryKey: ['templates', 'list'] })
    },
  })
}

export function useDeleteTemplate(template: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.DELETE('/api/templates/{template}', of(template)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['templates', 'list'] }),
  })
}

/** The fields of another picture, which is not kept. The panel shows the error. */
export function useReadForm(template: string) {
  return useMutation({
    meta: { isErrorShown: true },
    mutationFn: (file: File) => send<Form>(`/api/templates/${template}/fields`, { method: 'POST', body: form({ file }) }),
  })
}

/** The addresses that answer by the template. */
export function useDeploymentChoices(project: string) {
  return useQuery({
    queryKey: ['deployments', 'choices', project],
    queryFn: () => data(api.GET('/api/deployments', { params: { query: { project, limit: 100 } } })),
    select: (page) => page.items,
  })
}
