/** Which pages there are in a project of a kind of items, known before any of them is loaded. */
import type { KindName } from './kind'

const files = import.meta.glob<{ default: readonly string[] }>('./*/pages.ts', { eager: true })

const PAGES = new Map(Object.entries(files).map(([path, { default: pages }]) => [path.split('/')[1], pages]))
const OF_SOME = new Set([...PAGES.values()].flat())

export const isKnown = (kind: KindName): boolean => PAGES.has(kind)

/** Whether projects of such items have a page; while the kind is not known, only what all have. */
export function hasPage(kind: KindName | undefined, page: string): boolean {
  return !OF_SOME.has(page) || (kind !== undefined && PAGES.get(kind)?.includes(page) === true)
}
