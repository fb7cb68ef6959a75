/**
 * Goes on after a change has gone through, also where another was begun or the page was left meanwhile: callbacks that are given to
 * `mutate` are dropped then. The query client notifies of failures.
 */
export function afterMutation<Done>(
  change: Promise<Done>,
  next: (done: Done) => void,
  otherwise: (error: unknown) => void = () => undefined,
): void {
  void change.then(next, otherwise)
}
