/** A person's own keys over those that a scope offers. Pure. */
import { SCOPES, type ShortcutScope } from './scope'

/** Scope -> action -> chords. Only what the person has changed. */
export type Choices = Record<string, Record<string, readonly string[]>>

/** The keys of each action of a scope. */
export function keysOf(scope: ShortcutScope, choices: Choices): Map<string, readonly string[]> {
  return new Map(scope.actions.map(({ id, keys }) => [id, choices[scope.scope]?.[id] ?? keys]))
}

/** Which action a chord stands for; the first named wins where two share it. */
export function actionsByChord(scope: ShortcutScope, choices: Choices): Map<string, string> {
  const found = new Map<string, string>()
  for (const [id, keys] of keysOf(scope, choices)) for (const key of keys) if (!found.has(key)) found.set(key, id)
  return found
}

export interface Holder {
  scope: string
  action: string
}

/** Other actions that hear a chord at the same time as those of a scope. */
export function holdersOf(chord: string, of: Holder, choices: Choices, scopes: readonly ShortcutScope[] = SCOPES): Holder[] {
  const near = scopes.filter(
    ({ scope, beside }) =>
      scope === of.scope || beside?.includes(of.scope) || scopes.find((one) => one.scope === of.scope)?.beside?.includes(scope),
  )
  return near.flatMap((scope) =>
    [...keysOf(scope, choices)]
      .filter(([id, keys]) => keys.includes(chord) && !(scope.scope === of.scope && id === of.action))
      .map(([id]) => ({ scope: scope.scope, action: id })),
  )
}

/** Gives an action other keys; the scope's own keys leave no trace. */
export function rebound(choices: Choices, of: Holder, keys: readonly string[], scopes: readonly ShortcutScope[] = SCOPES): Choices {
  const own = scopes.find(({ scope }) => scope === of.scope)?.actions.find(({ id }) => id === of.action)?.keys ?? []
  const rest = Object.fromEntries(Object.entries(choices[of.scope] ?? {}).filter(([id]) => id !== of.action))
  const isOwn = own.length === keys.length && own.every((key, index) => key === keys[index])
  const changed = isOwn ? rest : { ...rest, [of.action]: [...keys] }
  const others = Object.fromEntries(Object.entries(choices).filter(([scope]) => scope !== of.scope))
  return Object.keys(changed).length ? { ...others, [of.scope]: changed } : others
}

/** Adds a key to an action and takes it from those that had it. */
export function moved(choices: Choices, of: Holder, chord: string, scopes: readonly ShortcutScope[] = SCOPES): Choices {
  const keysNow = (holder: Holder, now: Choices) => {
    const scope = scopes.find((one) => one.scope === holder.scope)
    return (scope && keysOf(scope, now).get(holder.action)) ?? []
  }
  const freed = holdersOf(chord, of, choices, scopes).reduce(
    (now, holder) =>
      rebound(
        now,
        holder,
        keysNow(holder, now).filter((key) => key !== chord),
        scopes,
      ),
    choices,
  )
  return rebound(freed, of, [...new Set([...keysNow(of, freed), chord])], scopes)
}

/** Reads what `JSON.stringify` wrote; null for anything that is no such map. Unknown names are left out. */
export function readChoices(text: string, scopes: readonly ShortcutScope[] = SCOPES): Choices | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  let choices: Choices = {}
  for (const { scope, formerly, actions } of scopes) {
    const chosen = value as Record<string, unknown>
    const of = chosen[scope] ?? chosen[formerly ?? scope]
    if (of === undefined) continue
    if (typeof of !== 'object' || of === null) return null
    for (const { id } of actions) {
      const keys = (of as Record<string, unknown>)[id]
      if (keys === undefined) continue
      if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string' && key.length > 0 && key.length < 40)) return null
      choices = rebound(choices, { scope, action: id }, keys as string[], scopes)
    }
  }
  return choices
}
