/** Which model of the package answers. */
export interface Installed {
  /** By which the platform names it; empty: the one that came with the package. */
  model: string
  folder: string
  canRollBack: boolean
}

/**
 * Checks a model update, lets its model answer the golden samples here, and switches to it: whoever calls `load` from then on gets
 * it. If it is refused, the model before stays. Lies in `models` beside the package's `model`.
 *
 * @param file path of the file that the platform exported as a model update.
 */
export declare function update(file: string | URL, options?: { allowOtherLabels?: boolean }): Promise<Installed>

/** Lets the model before the latest update answer again. */
export declare function rollBack(): Promise<Installed>
