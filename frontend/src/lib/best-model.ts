/** Which of a project's models is the best: among those of one version, as only their numbers may be compared. Pure. */
import { isTooFew, listedMetric, type ListedMetric } from './listed-metric'

interface Listed {
  id: string
  version: string
  stage: string
  trial?: string | null
  metrics: Record<string, Record<string, number> | undefined>
  intervals?: Record<string, Record<string, readonly number[]> | undefined>
  num_judged?: Record<string, number>
}

interface Objective {
  name: string
  is_higher_better: boolean
}

/** As lists show values: what differs by less is equal. */
const shown = (value: number) => Number(value.toPrecision(3))

const isEqual = ({ value, interval }: ListedMetric, best: number) =>
  shown(value) === shown(best) || (interval !== null && Math.min(...interval) <= best && best <= Math.max(...interval))

/** What speaks for a model beside its numbers. */
interface Chosen {
  /** Models that answer at an address. */
  inService?: ReadonlySet<string> | undefined
  /** Trials whose models their studies ship. */
  shipped?: ReadonlySet<string> | undefined
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Of each version that has two models or more that were judged on the same split, by enough items, the id of the best one. Models
 * whose interval holds the best value are as good: of these it is the one in production, else one that answers at an address, else
 * one that its study ships, which more was known of than this split tells, else the one with the best value.
 */
export function bestByVersion(
  models: readonly Listed[],
  objective: Objective | undefined,
  { inService = NONE, shipped = NONE }: Chosen = {},
): Map<string, string> {
  const judged = models.flatMap((model) => {
    const listed = objective && listedMetric(model, objective.name)
    return listed && !isTooFew(listed.num_items) ? [{ ...model, ...listed }] : []
  })
  const best = new Map<string, string>()
  for (const version of new Set(judged.map((model) => model.version))) {
    const ofVersion = judged.filter((model) => model.version === version)
    const sorted = [...ofVersion].sort((a, b) => (objective?.is_higher_better ? b.value - a.value : a.value - b.value))
    const [first, second] = sorted
    const isComparable = new Set(ofVersion.map(({ split }) => split)).size === 1
    if (!first || !second || !isComparable) continue
    const equals = sorted.filter((model) => isEqual(model, first.value))
    const kept =
      equals.find(({ stage }) => stage === 'production') ??
      equals.find(({ id }) => inService.has(id)) ??
      equals.find(({ trial }) => trial != null && shipped.has(trial))
    if (kept ?? first.value !== second.value) best.set(version, (kept ?? first).id)
  }
  return best
}

/**
 * The model that one would use: the one in production, else the best one of the newest version; where none is known to be better, the
 * newest that answers at an address, else the newest that a study ships, else the newest.
 */
export function modelToUse<M extends Listed>(models: readonly M[], objective: Objective | undefined, chosen?: Chosen): M | undefined {
  const best = bestByVersion(models, objective, chosen).get(models[0]?.version ?? '')
  const { inService = NONE, shipped = NONE } = chosen ?? {}
  return (
    models.find(({ stage }) => stage === 'production') ??
    models.find(({ id }) => id === best) ??
    models.find(({ id }) => inService.has(id)) ??
    models.find(({ trial }) => trial != null && shipped.has(trial)) ??
    models[0]
  )
}
