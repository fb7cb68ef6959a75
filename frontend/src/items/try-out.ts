/** The forms to try a deployment out: `items/<kind>/try-out/form.tsx`, found by listing; a task's `ui` names one of them. */
import type { ComponentType, ReactNode } from 'react'

import type { Answer } from '../lib/api/answer'
import type { Task } from '../lib/api/types'
import type { Predictions } from '../ui/try-out/section'

export type FormName = Task['ui']['tryout_form']

/** How predictions are shown; the page takes it from the kind of answers, of which a kind of items knows nothing. */
export interface TryOutAnswers {
  renderPrediction: (annotations: Predictions) => ReactNode
  /** Draws predictions over a picture whose sides are given in pixels. */
  renderOverlay: (annotations: Predictions, size: { width: number; height: number }) => ReactNode
  isExplained: boolean
  /** Writes a part of a score or of a predicted number. */
  format: (part: number) => string
}

export interface TryOutFormProps {
  deployment: Pick<Answer<'DeploymentOut'>, 'id' | 'artefact' | 'state'>
  answers: TryOutAnswers
}

/** The default export of a kind's `try-out/form.tsx`. */
export interface TryOutForm {
  name: FormName
  /** Takes an item and shows what a customer would get. */
  Form: ComponentType<TryOutFormProps>
  /** Whether it takes the whole width of the page. */
  isWide?: boolean
}

const files = import.meta.glob<{ default: TryOutForm }>('./*/try-out/form.tsx', { eager: true })

export const TRY_OUT_FORMS: readonly TryOutForm[] = Object.values(files).map(({ default: form }) => form)

export function tryOutForm(name: FormName): TryOutForm {
  const form = TRY_OUT_FORMS.find((each) => each.name === name)
  if (!form) throw new Error(`no form ${name}; known: ${TRY_OUT_FORMS.map((each) => each.name).join(', ')}`)
  return form
}
