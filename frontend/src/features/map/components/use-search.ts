/** The search by a picture or a sentence from anywhere: its drawer, and what was asked last. */
import { useState } from 'react'

import type { Task } from '../../../lib/api/types'
import { usePastedPicture } from '../../../lib/use-pasted-picture'
import type { Query } from '../api/get-similar'

let asked = 0

export function useSearch(modality: Task['modality']) {
  const [isOpen, setOpen] = useState(false)
  const [query, setQuery] = useState<Query | null>(null)
  const ask = (what: File | string) => {
    setQuery({ asked: what, number: ++asked })
    setOpen(true)
  }
  usePastedPicture((file) => modality === 'image' && ask(file))
  return { isOpen, query, ask, open: () => setOpen(true), close: () => setOpen(false) }
}

export type Search = ReturnType<typeof useSearch>
