import type { Label } from '../api/types'

/** Label of areas that count neither in training nor in metrics. It is in no label set, unless an old set has a label of this name. */
export const IGNORED_LABEL = '__ignore__'
export const IGNORED_COLOR = '#868e96'

export const isIgnored = (label: string | null | undefined, labels: readonly Pick<Label, 'name'>[]) =>
  label === IGNORED_LABEL && !labels.some(({ name }) => name === IGNORED_LABEL)
