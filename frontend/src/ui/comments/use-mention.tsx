import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { fitting, typedMention } from '../../lib/comments/mentions'
import { MentionList } from './mention-list'

interface Mention {
  /** Attributes of the field, for screen readers. */
  field: Record<string, string | boolean | undefined>
  fieldRef: (outer?: Ref<HTMLTextAreaElement>) => (element: HTMLTextAreaElement | null) => void
  list: ReactNode
  /** The caret moved, or something was typed. */
  moved: (caret: number) => void
  /** Takes a key for the list; whether it did. */
  press: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean
}

/** Offers names while one is typed behind an `@`: arrows choose, Enter and Tab take, Escape closes. */
export function useMention(people: readonly string[], text: string, onChange: (text: string) => void): Mention {
  const { t } = useTranslation('comments')
  const id = useId()
  const element = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const typed = caret === null ? null : typedMention(text, caret)
  const names = typed
    ? fitting(
        people.map((name) => ({ name })),
        typed.query,
      ).map(({ name }) => name)
    : []
  const isOpen = names.length > 0 && !(names.length === 1 && names[0] === typed?.query)
  const choose = (name: string) => {
    if (!typed || caret === null) return
    const end = typed.start + name.length + 2
    onChange(`${text.slice(0, typed.start)}@${name} ${text.slice(caret)}`)
    setCaret(null)
    requestAnimationFrame(() => element.current?.setSelectionRange(end, end))
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const chosen = names[active]
    if (!isOpen || event.ctrlKey || event.metaKey || chosen === undefined) return false
    if (event.key === 'ArrowDown') setActive((active + 1) % names.length)
    else if (event.key === 'ArrowUp') setActive((active + names.length - 1) % names.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen)
    else if (event.key === 'Escape') setCaret(null)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return {
    field: isOpen ? { 'aria-controls': id, 'aria-activedescendant': `${id}-${active}`, 'aria-autocomplete': 'list' } : {},
    fieldRef: (outer) => (found) => {
      element.current = found
      if (typeof outer === 'function') outer(found)
      else if (outer) outer.current = found
    },
    list: isOpen ? <MentionList id={id} label={t('people')} names={names} active={active} onChoose={choose} /> : null,
    moved: (place) => {
      setCaret(place)
      setActive(0)
    },
    press,
  }
}
