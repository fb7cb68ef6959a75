/** The search by a picture from anywhere: its drawer, and what was asked last. */
import { useState } from 'react'

import { usePastedPicture } from '../../../lib/use-pasted-picture'
import type { Query } from '../api/get-similar'

let asked = 0

export function useSearch() {
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState<Query | null>(null)
  const ask = (file: File) => {
    setQuery({ file, number: ++asked })
    setOpen(true)
  }
  usePastedPicture(ask)
  return { isOpen, query, ask, open: () => setOpen(true), close: () => setOpen(false) }
}

export type Search = ReturnType<typeof useSearch>
