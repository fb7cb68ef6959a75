/** The form behind a label's attributes. */
import type { Label } from '../../../lib/api/types'

export type LabelAttribute = NonNullable<Label['attributes']>[number]

export const KINDS = ['switch', 'choice', 'text', 'number'] as const

export const emptyAttribute = (): LabelAttribute => ({ name: '', kind: 'switch', choices: [] })

/** The rows as they can be saved, empty ones left out; null while something is missing or duplicated. */
export function attributesComplete(rows: readonly LabelAttribute[]): LabelAttribute[] | null {
  const named = rows.map((row) => ({ ...row, name: row.name.trim() })).filter((row) => row.name || row.choices.length)
  const names = named.map((row) => row.name)
  const isWrong =
    named.some((row) => !row.name || (row.kind === 'choice' && row.choices.length < 2)) || new Set(names).size !== names.length
  return isWrong ? null : named.map((row) => ({ ...row, choices: row.kind === 'choice' ? row.choices : [] }))
}

/** The values that an attribute of a label can have, as a rule of a split names them; none where any text is allowed. */
export function valuesOf(label: Label, name: string): string[] {
  const attribute = label.attributes?.find((one) => one.name === name)
  if (attribute?.kind === 'switch') return ['true', 'false']
  return attribute?.kind === 'choice' ? [...attribute.choices] : []
}
