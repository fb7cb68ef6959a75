import { useEffect } from 'react'

import type { Job } from '../../../lib/api/types'
import { Progress } from '../../../ui/progress'
import { useOpenJob } from '../api/get-job'

interface CureProgressProps {
  job: string
  label: string
  onEnded: (job: Job) => void
}

/** The job that leaves items out of a large dataset, as long as it is under way. */
export function CureProgress({ job, label, onEnded }: CureProgressProps) {
  const { data } = useOpenJob(job)
  const ended = data?.ended_at ? data : null
  useEffect(() => {
    if (ended) onEnded(ended)
  }, [ended, onEnded])
  return <Progress fraction={data?.progress_fraction ?? 0} label={label} />
}
