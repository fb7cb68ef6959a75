/** The messages between the page and the worker. */
import type { Division, Pixels } from './slic'

export interface ToWorker {
  number: number
  pixels: Pixels
  spacing: number
}

export interface FromWorker extends Division {
  number: number
}
