/** The strongest pairs as a square: which columns it shows and what stands in each cell. */

export interface Pair {
  first: string
  second: string
  strength: number
  /** Of two numbers: the one falls as the other rises. */
  is_inverse: boolean
}

export interface PairMatrix {
  names: string[]
  /** By row and column in the order of the names, -1..1; null if the pair is not listed. */
  cells: (number | null)[][]
}

/** The columns of the strongest pairs, at most so many, those that go together beside each other. */
export function pairMatrix(pairs: readonly Pair[], max: number): PairMatrix {
  const chosen = new Set<string>()
  for (const { first, second } of pairs) {
    const added = [first, second].filter((name) => !chosen.has(name))
    if (chosen.size + added.length > max) continue
    for (const name of added) chosen.add(name)
  }
  const names = [...chosen]
  const known = new Map(
    pairs.flatMap((pair) => {
      const { first, second } = pair
      return [[key(first, second), signed(pair)] as const, [key(second, first), signed(pair)] as const]
    }),
  )
  return {
    names,
    cells: names.map((row) => names.map((column) => (row === column ? 1 : (known.get(key(row, column)) ?? null)))),
  }
}

/** The strength, below 0 where the one falls as the other rises. */
export const signed = ({ strength, is_inverse }: Pair) => (is_inverse ? -strength : strength)

const key = (one: string, other: string) => `${one}\u0000${other}`
