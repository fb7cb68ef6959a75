import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { itemQuery } from '../lib/item-query'
import { thumbnailUrl } from '../lib/thumbnail-url'
import { useItemKind } from '.'

interface IdThumbProps {
  /** Id of an item of which nothing else is at hand. */
  item: string
  size?: number
  /** Lines of what is read. */
  lines?: number
}

/** Passing over many items asks for the one that is stayed with. */
const STAYS_MS = 60

/** What an item looks like, by its id alone: its thumbnail, or its text or cells once they are here. */
export function IdThumb({ item, size, lines = 3 }: IdThumbProps) {
  const { Thumb, hasThumbnails } = useItemKind()
  if (!hasThumbnails) return <FetchedItem item={item} lines={lines} />
  return <Thumb key={item} item={{ text: null, thumbnail_url: thumbnailUrl(item) }} alt="" {...(size ? { size } : {})} />
}

function FetchedItem({ item, lines }: { item: string; lines: number }) {
  const { Thumb } = useItemKind()
  const [stayed, setStayed] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setStayed(item), STAYS_MS)
    return () => clearTimeout(timer)
  }, [item])
  const { data: loaded } = useQuery({ ...itemQuery(item), enabled: stayed === item })
  return <Thumb item={loaded ?? { text: '', thumbnail_url: null }} alt="" lines={lines} />
}
