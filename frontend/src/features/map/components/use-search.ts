/** The search by a picture or a sentence from anywhere: its drawer, and what was asked last. */
import { useState } from 'react'

import type { Similarity } from '../../../items/kind'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import type { Query } from '../api/get-similar'

let lastNumber = 0

export function useSearch(takes: Similarity['takes']) {
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState<Query | null>(null)
  const ask = (what: File | string) => {
    setQuery({ query: what, number: ++lastNumber })
    setOpen(true)
  }
  usePastedPicture((file) => takes === 'file' && ask(file))
  return { isOpen, query, ask, open: () => setOpen(true), close: () => setOpen(false) }
}

export type Search = ReturnType<typeof useSearch>
