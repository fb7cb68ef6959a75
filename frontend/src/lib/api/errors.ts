import type { LocalText } from '../local-text'

/** A value in a sentence; a translated one takes the sentence's language. */
export type Param = string | number | string[] | LocalText

/** A refused request, from the server's problem document. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    readonly hint: string,
    readonly fields: Record<string, string[]> = {},
    readonly extra: Record<string, unknown> = {},
    /** What the sentences of the dictionary `refusals` may name. */
    readonly params: Record<string, Param> = {},
  ) {
    super(detail || title)
    this.name = 'ApiError'
  }
}

/** Whether what was asked for does not exist, or is not this person's to see. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

interface Problem {
  code?: string
  title?: string
  detail?: string
  hint?: string
  fields?: Record<string, string[]>
  extra?: Record<string, unknown>
  params?: Record<string, Param>
}

/** Reads a failed response; what is no problem document becomes one. */
export function apiErrorOf(status: number, body: unknown): ApiError {
  const problem: Problem = typeof body === 'object' && body !== null ? body : {}
  return new ApiError(
    status,
    problem.code ?? (status === 0 ? 'offline' : 'unexpected_answer'),
    problem.title ?? '',
    problem.detail ?? '',
    problem.hint ?? '',
    problem.fields,
    problem.extra,
    problem.params,
  )
}
