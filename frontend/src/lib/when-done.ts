/**
 * Goes on after a change has gone through, also where another was begun or the page was left meanwhile: callbacks that are given to
 * `mutate` are dropped then. Of a failure the query client has told.
 */
export function whenDone<Done>(
  change: Promise<Done>,
  next: (done: Done) => void,
  otherwise: (error: unknown) => void = () => undefined,
): void {
  void change.then(next, otherwise)
}
