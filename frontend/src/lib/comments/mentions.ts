/** `@name` in comments: what is being typed, who fits, and where names stand in a text. */

export interface Typed {
  /** Where the `@` stands. */
  start: number
  /** What follows it up to the caret. */
  query: string
}

const LONGEST = 40

/** The mention at whose end the caret stands; null where none is being typed. */
export function typedMention(text: string, caret: number): Typed | null {
  const start = text.lastIndexOf('@', caret - 1)
  if (start < 0 || /[a-z0-9]/i.test(text.charAt(start - 1))) return null
  const query = text.slice(start + 1, caret)
  return query.length > LONGEST || query.includes('\n') ? null : { start, query }
}

/** The people whose names fit what is typed: those that begin so, then those of whose words one does. */
export function fitting<Person extends { name: string }>(people: readonly Person[], query: string, most = 6): Person[] {
  const prefix = query.toLowerCase()
  const begins = people.filter(({ name }) => name.toLowerCase().startsWith(prefix))
  const inside = people.filter((one) => !begins.includes(one) && one.name.toLowerCase().includes(` ${prefix}`))
  return [...begins, ...inside].slice(0, most)
}

export interface Part {
  text: string
  isMention: boolean
}

/** A text in parts, those that mention somebody apart. */
export function mentionParts(text: string, names: readonly string[]): Part[] {
  const sorted = [...names].sort((one, other) => other.length - one.length).map((name) => `@${name}`.toLowerCase())
  const lowered = text.toLowerCase()
  const parts: Part[] = []
  let from = 0
  for (let at = lowered.indexOf('@'); at >= 0; at = lowered.indexOf('@', at + 1)) {
    const name = sorted.find((one) => lowered.startsWith(one, at))
    if (!name || at < from) continue
    if (at > from) parts.push({ text: text.slice(from, at), isMention: false })
    from = at + name.length
    parts.push({ text: text.slice(at, from), isMention: true })
  }
  if (from < text.length) parts.push({ text: text.slice(from), isMention: false })
  return parts
}
