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
  options: readonly { kind: string; name: string; default: OptionValue }[]
  /** What the server lacks to build for it. */
  missing: object | null
}

export interface TargetChoice<T> {
  target: T
  /** It takes such models, and the server has what a build needs. */
  isPossible: boolean
  /** It takes such models. */
  isSuited: boolean
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
    .map((target) => {
      const isSuited = target.accepts.includes(model.output) && (!model.pipeline || target.pipelines.includes(model.pipeline))
      return { target, isSuited, isPossible: isSuited && !target.missing }
    })
    .sort((a, b) => Number(b.isPossible) - Number(a.isPossible) || Number(b.isSuited) - Number(a.isSuited))
}

/** The same by what is handed out; groups without a target are left out. */
export function targetGroups<T extends TargetLike>(choices: readonly TargetChoice<T>[]) {
  const groups = TARGET_GROUPS.map((group) => ({ group, choices: choices.filter(({ target }) => target.group === group) }))
  return groups.filter((each) => each.choices.length > 0)
}

interface MeasurementLike {
  device: string
  backend: string
  p50_ms: number
}

const MOST_DEVICES = 3

/**
 * How long an answer takes on devices that have measured: with the fastest of the target's backends, as its product chooses.
 * Figures come newest first; those of a device and a backend that were sent before count no more.
 */
export function deviceTimes(target: { backends: readonly string[] }, measured: readonly MeasurementLike[]) {
  const newest = new Map<string, MeasurementLike>()
  for (const each of measured) {
    const key = JSON.stringify([each.device, each.backend])
    if (target.backends.includes(each.backend) && !newest.has(key)) newest.set(key, each)
  }
  const times = new Map<string, number>()
  for (const { device, p50_ms } of newest.values()) times.set(device, Math.min(p50_ms, times.get(device) ?? Infinity))
  return [...times].slice(0, MOST_DEVICES).map(([device, ms]) => ({ device, ms }))
}

/** The options that are not at their defaults, without names: they change nothing about what is built. */
export function changedOptions(target: TargetLike, options: Record<string, OptionValue>): Record<string, OptionValue> {
  const counting = target.options.filter(({ kind }) => kind !== 'text')
  const values = counting.map(({ name, default: usual }) => ({ name, usual, value: options[name] ?? usual }))
  return Object.fromEntries(values.filter(({ usual, value }) => value !== usual).map(({ name, value }) => [name, value]))
}

/** Every option of a target at its default. */
export function defaultOptions(target: TargetLike): Record<string, OptionValue> {
  return Object.fromEntries(target.options.map((option) => [option.name, option.default]))
}
