import { useEffect, useRef, useState } from 'react'

import type { Columns } from '../../../lib/table/columns'
import type { Profile } from '../api/types'
import { lookingOf } from '../model/looking'

interface LookingProps {
  table: Columns
  profile: Profile | undefined
  canChange: boolean
  look: () => void
}

/** Looks at the columns by itself, at first and after the target was chosen; once for each target, whatever becomes of it. */
export function useLooking({ table, profile, canChange, look }: LookingProps) {
  const [isTargetChanged, setTargetChanged] = useState(false)
  const looked = useRef<string | null>(null)
  const when = canChange ? lookingOf(table, profile, isTargetChanged) : 'no'
  const target = table.target ?? ''
  useEffect(() => {
    if (when !== 'now' || looked.current === target) return
    looked.current = target
    look()
  }, [when, target, look])
  return { isDue: when === 'later', ask: () => setTargetChanged(true) }
}
