import { useItemKind } from '.'
import type { Similarity } from './kind'

/** Of a project whose items are compared; its map is shown in no other. */
export function useSimilarity(): Similarity {
  const { name, similarity } = useItemKind()
  if (!similarity) throw new Error(`items of the kind ${name} are not compared`)
  return similarity
}
