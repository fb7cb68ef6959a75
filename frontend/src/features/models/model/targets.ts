/** Which export targets a model may be built for. */

type OptionValue = string | number | boolean

interface TargetLike {
  name: string
  accepts: readonly string[]
  options: readonly { name: string; default: OptionValue }[]
}

export interface TargetChoice<T> {
  target: T
  isPossible: boolean
}

/** All targets, those that take the model's output first; the others stay visible so that nobody looks for them. */
export function targetChoices<T extends TargetLike>(targets: readonly T[], output: string): TargetChoice<T>[] {
  return targets
    .map((target) => ({ target, isPossible: target.accepts.includes(output) }))
    .sort((a, b) => Number(b.isPossible) - Number(a.isPossible))
}

/** Every option of a target at its default. */
export function defaultOptions(target: TargetLike): Record<string, OptionValue> {
  return Object.fromEntries(target.options.map((option) => [option.name, option.default]))
}
