/** The server's side of saving, for tests: each change once, merged by object, refused or asked about. */
import { labelsOf, type ItemAnnotations } from '../../../answers/annotations'
import { ApiError } from '../../../lib/api/errors'
import type { Item } from '../../../lib/api/types'
import type { Answer } from './autosave'
import { applied, isAlike, type AnnotationOperation } from './operation'
import { annotationsOf } from './annotations-of'
import { testItem } from './test-items'

export const offline = () => new ApiError(0, 'offline', '', '', '')

export class InMemoryServer {
  items = new Map<string, Item>()
  /** Every change that was made, in order. */
  made: AnnotationOperation[] = []
  sent: string[][] = []
  /** Runs before a request is served: throws where it never arrives. */
  before: (operations: AnnotationOperation[]) => void | Promise<void> = () => undefined
  /** Runs after: throws where the answer is lost. */
  after: () => void | Promise<void> = () => undefined

  send = async (operations: AnnotationOperation[]): Promise<Answer[]> => {
    this.sent.push(operations.map((one) => one.operation))
    await this.before(operations)
    const answers = operations.map((one) => this.#take(one))
    await this.after()
    return structuredClone(answers)
  }

  item = (id: string): Item => this.items.get(id) ?? testItem(id)
  labels = (id: string) => labelsOf(annotationsOf(this.item(id)))

  /** Another person annotates. */
  put(id: string, annotations: ItemAnnotations): void {
    this.items.set(id, testItem(id, annotations, this.item(id).revision + 1))
  }

  #take(one: AnnotationOperation): Answer {
    const item = this.item(one.item)
    const answer = { operation: one.operation, status: 'saved' as const, item, refusal: null }
    if (this.made.some(({ operation }) => operation === one.operation)) return answer
    const isDecided = one.choice !== 'ask' && one.seen === item.revision
    const isSeen = one.has_others || isAlike(one.before, annotationsOf(item))
    if (!isSeen && !isDecided) return { ...answer, status: 'conflict' }
    this.made.push(one)
    this.put(one.item, one.choice === 'theirs' ? annotationsOf(item) : applied(annotationsOf(item), one))
    return { ...answer, item: this.item(one.item) }
  }
}
