/** What the three goals of the start form mean: which families, and how long a search. */

export type Goal = 'fast' | 'balanced' | 'accurate'

interface FamilyLike {
  name: string
  is_frozen: boolean
  yields: string
}

export interface Preset {
  families: string[]
  max_trials: number
}

/**
 * Fast keeps to frozen backbones, whose trials take seconds; the other two may use everything and differ in how long they
 * search. Where no family is frozen, networks take many minutes each and one is tried, models of rows take seconds and some are.
 */
export function preset(goal: Goal, families: readonly FamilyLike[]): Preset {
  const frozen = families.filter((family) => family.is_frozen)
  const all = families.map((family) => family.name)
  switch (goal) {
    case 'fast':
      if (frozen.length) return { families: frozen.map((family) => family.name), max_trials: 3 }
      return { families: all, max_trials: families.every((family) => family.yields === 'rows') ? 3 : 1 }
    case 'balanced':
      return { families: all, max_trials: 8 }
    case 'accurate':
      return { families: all, max_trials: 24 }
  }
}
