/** How the calls of a deployment are shared among its models; the shares always add up to 100. */

export interface Share {
  artefact: string
  /** Per cent, a whole number. */
  share: number
}

/** As many models as the server takes. */
export const MAX_MODELS = 5

/** Gives one model a share; the others keep their proportions in what is left. */
export function shareSet(shares: readonly Share[], place: number, requested: number): Share[] {
  if (shares.length < 2) return shares.map((each) => ({ ...each, share: 100 }))
  const share = Math.min(100, Math.max(0, Math.round(requested)))
  const others = shares.reduce((sum, each, n) => (n === place ? sum : sum + each.share), 0)
  const exact = shares.map((each, n) => {
    if (n === place) return share
    return (100 - share) * (others ? each.share / others : 1 / (shares.length - 1))
  })
  const whole = exact.map(Math.floor)
  const missing = 100 - whole.reduce((sum, each) => sum + each, 0)
  const byRest = exact.map((value, n) => ({ n, rest: value - Math.floor(value) })).sort((a, b) => b.rest - a.rest || a.n - b.n)
  for (const { n } of byRest.slice(0, missing)) whole[n] = (whole[n] ?? 0) + 1
  return shares.map((each, n) => ({ ...each, share: whole[n] ?? 0 }))
}

/** Adds a model, without a share to begin with. */
export function shareAdd(shares: readonly Share[], artefact: string): Share[] {
  return [...shares, { artefact, share: 0 }]
}

/** Takes a model away; what it had goes to the others in their proportions. */
export function shareRemove(shares: readonly Share[], place: number): Share[] {
  return shareSet(shares, place, 0).filter((_, n) => n !== place)
}
