/** What a form to try a deployment out says of itself. */
import type { ComponentType } from 'react'

import type { Task } from '../../../lib/api/types'
import type { Deployment } from '../api/types'

export type FormName = Task['ui']['tryout_form']

export interface FormProps {
  deployment: Deployment
}

/** The default export of `try-out/<name>.tsx`, found by listing. */
export interface TryOutForm {
  name: FormName
  /** Takes an item and shows what a customer would get. */
  Form: ComponentType<FormProps>
  /** Whether it takes the whole width of the page. */
  isWide?: boolean
}
