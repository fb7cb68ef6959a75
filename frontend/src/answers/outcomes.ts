/** What becomes of an object that a person or a model points out, and its colour. */
export type Outcome = 'found' | 'missed' | 'false'

export const OUTCOMES = ['found', 'missed', 'false'] as const satisfies readonly Outcome[]
export const COLORS: Record<Outcome, string> = { found: '#4ade80', missed: '#facc15', false: '#fb923c' }
