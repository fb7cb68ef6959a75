/** The forms to try a deployment out, found by listing the files of this folder. */
import type { FormName, TryOutForm } from './form'

const files = import.meta.glob<{ default: TryOutForm }>('./*.tsx', { eager: true })

const FORMS = new Map(Object.values(files).map(({ default: form }) => [form.name, form]))

export function formNamed(name: FormName): TryOutForm {
  const form = FORMS.get(name)
  if (!form) throw new Error(`no form ${name}; known: ${[...FORMS.keys()].join(', ')}`)
  return form
}
