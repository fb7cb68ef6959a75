/** Names of the parameters in which sets of values differ, in order of appearance; the others would only fill the table. */
export function changedParams(sets: readonly Record<string, string | number | boolean>[]): string[] {
  const names = [...new Set(sets.flatMap((values) => Object.keys(values)))]
  return names.filter((name) => {
    const given = sets.map((values) => values[name]).filter((value) => value !== undefined)
    return new Set(given).size > 1 || (sets.length === 1 && given.length === 1)
  })
}
