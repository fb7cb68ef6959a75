/** What a page offers by key. One file a scope in `scopes/`, found by listing. */

export interface ShortcutAction {
  /** Name within its scope, and of its words below the scope's `words`. */
  id: string
  /** Chords as `chord.ts` writes them, unless the person has chosen others. */
  keys: readonly string[]
  /** Goes on while the key is held, e.g. moving. All else happens once a press: a held key would speak of pictures that nobody has seen. */
  repeats?: true
  /** Where several actions share their words: the name of these and what goes into them. */
  word?: string
  params?: Record<string, string | number>
}

export interface ShortcutScope {
  scope: string
  /** What it was called before: keys that somebody chose then still hold. */
  formerly?: string
  /** Place in the dialog, from small to large. */
  order: number
  /** Dictionary and path of the words: `labelling:keys` holds `labelling:keys.next`; `title` there is the scope's name. */
  words: string
  /** Scopes whose keys are active at the same time: two of them never share a key. */
  beside?: readonly string[]
  actions: readonly ShortcutAction[]
}

const files = import.meta.glob<{ default: ShortcutScope }>('./scopes/*.ts', { eager: true })

export const SCOPES: readonly ShortcutScope[] = Object.values(files)
  .map((file) => file.default)
  .sort((one, other) => one.order - other.order)
