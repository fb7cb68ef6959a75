/** Which export targets a model may be built for. */

type OptionValue = string | number | boolean

/** In the order in which they are offered. */
export const TARGET_GROUPS = ['server', 'library', 'format', 'update'] as const

interface TargetLike {
  name: string
  group: (typeof TARGET_GROUPS)[number]
  accepts: readonly string[]
  reads: readonly string[]
  /** What it runs around a model's graph. */
  pipelines: readonly string[]
  options: readonly { name: string; default: OptionValue }[]
}

export interface TargetChoice<T> {
  target: T
  isPossible: boolean
}

interface ModelLike {
  output: string
  decode: { kind: string }
  pipeline?: string | null
}

/**
 * The targets for models that read such items, those that take the model's output first; the others stay visible so that
 * nobody looks for them.
 */
export function targetChoices<T extends TargetLike>(targets: readonly T[], model: ModelLike): TargetChoice<T>[] {
  return targets
    .filter((target) => target.reads.includes(model.decode.kind))
    .map((target) => ({
      target,
      isPossible: target.accepts.includes(model.output) && (!model.pipeline || target.pipelines.includes(model.pipeline)),
    }))
    .sort((a, b) => Number(b.isPossible) - Number(a.isPossible))
}

/** The same by what is handed out; groups without a target are left out. */
export function targetGroups<T extends TargetLike>(choices: readonly TargetChoice<T>[]) {
  const groups = TARGET_GROUPS.map((group) => ({ group, choices: choices.filter(({ target }) => target.group === group) }))
  return groups.filter((each) => each.choices.length > 0)
}

/** Every option of a target at its default. */
export function defaultOptions(target: TargetLike): Record<string, OptionValue> {
  return Object.fromEntries(target.options.map((option) => [option.name, option.default]))
}
