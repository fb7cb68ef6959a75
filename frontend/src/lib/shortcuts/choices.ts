/** Where a person's keys are kept: in this browser, each person's apart. All open tabs follow. */
import { useSyncExternalStore } from 'react'

import { useMe } from '../session/session'
import { type Choices, readChoices } from './bindings'

const listeners = new Set<() => void>()
const read = new Map<string, { text: string | null; choices: Choices }>()
const NONE: Choices = {}

const place = (person: string) => `modelyard.shortcuts.${person}`

function choicesOf(person: string): Choices {
  const text = localStorage.getItem(place(person))
  const known = read.get(person)
  if (known && known.text === text) return known.choices
  const choices = (text && readChoices(text)) || NONE
  read.set(person, { text, choices })
  return choices
}

export function keepChoices(person: string, choices: Choices): void {
  if (Object.keys(choices).length) localStorage.setItem(place(person), JSON.stringify(choices))
  else localStorage.removeItem(place(person))
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The keys that the signed-in person has chosen, and the way to choose others. */
export function useChoices(): [Choices, (choices: Choices) => void] {
  const person = useMe().data?.id ?? ''
  const choices = useSyncExternalStore(subscribe, () => choicesOf(person))
  return [choices, (next) => keepChoices(person, next)]
}
