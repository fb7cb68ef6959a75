/** Which of a project's models is the best: among those of one version, as only their numbers may be compared. Pure. */
import { listedMetric, isTooFew } from './listed-metric'

interface Listed {
  id: string
  version: string
  stage: string
  metrics: Record<string, Record<string, number> | undefined>
  num_judged?: Record<string, number>
}

interface Objective {
  name: string
  is_higher_better: boolean
}

/** As lists show values: what differs by less is equal. */
const shown = (value: number) => Number(value.toPrecision(3))

/**
 * Of each version that has two models or more that were judged on the same split, by enough items, the id of the best one. Of equals
 * it is the one in production, else the one that answers at an address, else none.
 */
export function bestByVersion(
  models: readonly Listed[],
  objective: Objective | undefined,
  inService: ReadonlySet<string> = new Set(),
): Map<string, string> {
  const judged = models.flatMap((model) => {
    const listed = objective && listedMetric(model, objective.name)
    return listed && !isTooFew(listed.num_items) ? [{ ...model, ...listed }] : []
  })
  const best = new Map<string, string>()
  for (const version of new Set(judged.map((model) => model.version))) {
    const ofVersion = judged.filter((model) => model.version === version)
    const [first, second] = [...ofVersion].sort((a, b) => (objective?.is_higher_better ? b.value - a.value : a.value - b.value))
    const isComparable = new Set(ofVersion.map(({ split }) => split)).size === 1
    if (!first || !second || !isComparable) continue
    const equals = ofVersion.filter(({ value }) => shown(value) === shown(first.value))
    const kept = equals.find(({ stage }) => stage === 'production') ?? equals.find(({ id }) => inService.has(id))
    if (kept ?? first.value !== second.value) best.set(version, (kept ?? first).id)
  }
  return best
}

/** The model that one would use: the one in production, else the best one of the newest version, else the newest. */
export function modelToUse<M extends Listed>(models: readonly M[], objective: Objective | undefined): M | undefined {
  const best = bestByVersion(models, objective).get(models[0]?.version ?? '')
  return models.find(({ stage }) => stage === 'production') ?? models.find(({ id }) => id === best) ?? models[0]
}
