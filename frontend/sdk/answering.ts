/** The ways to ask a model that follow from asking it about several items. */
import type { Annotation, Item, ItemAnswer, PredictOptions } from './api'

export abstract class Answering {
  abstract answerBatch(items: readonly Item[], options?: PredictOptions): Promise<ItemAnswer[]>

  async answer(item: Item, options: PredictOptions = {}): Promise<ItemAnswer> {
    const [answered] = await this.answerBatch([item], options)
    return answered as ItemAnswer
  }

  async predict(item: Item, options: PredictOptions = {}): Promise<Annotation[]> {
    return (await this.answer(item, options)).annotations
  }

  async predictBatch(items: readonly Item[], options: PredictOptions = {}): Promise<Annotation[][]> {
    return (await this.answerBatch(items, options)).map(({ annotations }) => annotations)
  }
}
