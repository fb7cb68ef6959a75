import { bestByVersion, modelToUse } from '../best-model'
import { useModelChoices } from './choices'
import { useServedModels } from './served-models'
import { useShippedTrials } from './shipped-trials'
import { useMetrics } from './task'

/** The project's models, newest first, with the ids of those that are marked as best; undefined until they are known. */
export function useBestModels(project: string) {
  const models = useModelChoices(project)
  const objective = useMetrics()[0]
  const inService = useServedModels(project)
  const shipped = useShippedTrials(project)
  const chosen = { inService, shipped: shipped.data }
  const isKnown = models.data !== undefined && !shipped.isPending
  return {
    query: models,
    found: isKnown
      ? {
          models: models.data,
          best: new Set(bestByVersion(models.data, objective, chosen).values()),
          first: modelToUse(models.data, objective, chosen),
        }
      : undefined,
  }
}

/** The model that one would use; undefined until it is known. */
export function useModelToUse(project: string) {
  return useBestModels(project).found?.first
}
