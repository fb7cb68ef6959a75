/** How far off the answer for one row is. */

interface AnnotationLike {
  kind: string
  value?: unknown
}

export interface NumberError {
  truth: number
  prediction: number
  /** Prediction less truth. */
  error: number
}

/** Null where no number is predicted. */
export function errorOf({
  truth,
  prediction,
}: {
  truth: readonly AnnotationLike[]
  prediction: readonly AnnotationLike[]
}): NumberError | null {
  const [one, other] = [valueOf(truth), valueOf(prediction)]
  return one === null || other === null ? null : { truth: one, prediction: other, error: other - one }
}

export function valueOf(annotations: readonly AnnotationLike[]): number | null {
  const value = annotations.find(({ kind }) => kind === 'value')?.value
  return typeof value === 'number' ? value : null
}
