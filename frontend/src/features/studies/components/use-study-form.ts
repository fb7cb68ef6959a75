import { useState } from 'react'

import type { Family, Goal, GoalSpec } from '../api/types'
import { filledBy } from '../model/goals'
import { INITIAL_FORM, type StartModel, type StudyForm, withDefaults } from '../model/study-form'

export interface StudyFormState {
  values: StudyForm
  change: (changes: Partial<StudyForm>) => void
  chooseGoal: (goal: Goal | null) => void
  /** Going on from a model trains as that one was trained, until somebody changes it; null begins anew. */
  chooseStart: (start: StartModel | null) => void
  /** Another family starts with its first size and its defaults. */
  chooseSingle: (family: Family, size?: string) => void
}

/** The form's values; goals and families fill what follows from them. */
export function useStudyForm(version: string, families: readonly Family[], goals: readonly GoalSpec[]): StudyFormState {
  const specOf = (name: Goal | null) => goals.find((goal) => goal.name === name)
  const [values, setValues] = useState<StudyForm>(() => ({
    ...INITIAL_FORM,
    version,
    ...filledBy(specOf('balanced'), undefined),
    single: firstOf(families[0]),
  }))
  return {
    values,
    change: (changes) => setValues((before) => ({ ...before, ...changes })),
    chooseGoal: (goal) => setValues((before) => ({ ...before, goal, ...filledBy(specOf(goal), specOf(before.goal)) })),
    chooseStart: (start) => setValues((before) => ({ ...before, start, ...(start && { single: continuing(start, families) }) })),
    chooseSingle: (family, size) =>
      setValues((before) => ({ ...before, single: { ...firstOf(family), ...(size !== undefined && { size }) } })),
  }
}

function firstOf(family: Family | undefined): StudyForm['single'] {
  if (!family) return INITIAL_FORM.single
  return { family: family.name, size: family.sizes[0]?.name ?? '', params: withDefaults(family.params) }
}

function continuing({ family, size, params }: StartModel, families: readonly Family[]): StudyForm['single'] {
  const known = families.find((each) => each.name === family)
  return { family, size, params: withDefaults(known?.params ?? [], params) }
}
