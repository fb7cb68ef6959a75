/** What a search may try of each family's parameters, as the form holds it and as it goes out. */
import type { Family, FamilyParam } from '../api/types'
import type { ParamValue } from './study-form'

/** Ends of a number, null where the family's own holds; or the choices that are left. */
export type ParamRange = { low: number | null; high: number | null } | { choices: ParamValue[] }

/** By family and parameter; `size` stands for the family's sizes. */
export type Ranges = Record<string, Record<string, ParamRange>>

export const SIZE = 'size'

/** The ranges with one changed; one that leaves all that the family allows is dropped. */
export function withRange(ranges: Ranges, family: string, param: string, range: ParamRange | null): Ranges {
  const others = without(ranges[family] ?? {}, param)
  const own = range && !isWhole(range) ? { ...others, [param]: range } : others
  const rest = without(ranges, family)
  return Object.keys(own).length ? { ...rest, [family]: own } : rest
}

/** The ranges of some families, or null where none is set. */
export function rangesOf(ranges: Ranges, families: readonly string[]): Ranges | null {
  const own = Object.fromEntries(
    Object.entries(ranges).filter(([family, params]) => families.includes(family) && Object.keys(params).length > 0),
  )
  return Object.keys(own).length ? own : null
}

/** The ranges without those of sizes. */
export function withoutSizes(ranges: Ranges): Ranges {
  return Object.fromEntries(Object.entries(ranges).map(([family, own]) => [family, without(own, SIZE)]))
}

/** Whether a search tries several values by itself; else a person has to choose them. */
export function isSearched(param: FamilyParam): boolean {
  return param.kind !== 'choice' || param.is_searched !== false
}

/** The choices that are tried: all that a search tries by itself, or those that were left. */
export function choicesOf(param: Extract<FamilyParam, { kind: 'choice' }>, range: ParamRange | undefined): readonly ParamValue[] {
  if (range && 'choices' in range) return range.choices
  return isSearched(param) ? param.choices : [param.default]
}

/** Why a number's range cannot be: ends outside of what the family allows, or the wrong way round. */
export function rangeProblem(
  param: Extract<FamilyParam, { kind: 'float' | 'int' }>,
  range: ParamRange | undefined,
): 'outside' | 'reversed' | null {
  if (!range || 'choices' in range) return null
  const [low, high] = [range.low ?? param.low, range.high ?? param.high]
  if (low > high) return 'reversed'
  return low < param.low || high > param.high ? 'outside' : null
}

/** Whether something keeps the ranges from being sent. */
export function hasRangeProblem(ranges: Ranges, families: readonly Family[]): boolean {
  return families.some((family) =>
    family.params.some((param) => param.kind !== 'choice' && rangeProblem(param, ranges[family.name]?.[param.name]) !== null),
  )
}

function without<Value>(record: Record<string, Value>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
}

function isWhole(range: ParamRange): boolean {
  return 'choices' in range ? range.choices.length === 0 : range.low === null && range.high === null
}
