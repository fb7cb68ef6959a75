/** Pages that only projects have whose models answer in a certain way. Apart from the kinds themselves: the rail needs no more. */
import type { Task } from '../lib/api/types'

type Output = Task['outputs'][number]

const files = import.meta.glob<{ default: readonly string[] }>('./*/pages.ts', { eager: true })

const PAGES = new Map(Object.entries(files).map(([path, { default: pages }]) => [path.split('/')[1], pages]))
const OF_SOME = new Set([...PAGES.values()].flat())

/** Whether projects with such answers have a page; while they are not known, only what all have. */
export function hasAnswerPage(outputs: readonly Output[] | undefined, page: string): boolean {
  return !OF_SOME.has(page) || (outputs ?? []).some((output) => PAGES.get(output)?.includes(page))
}
