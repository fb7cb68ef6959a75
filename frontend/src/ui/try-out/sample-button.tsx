import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Item } from '../../lib/api/types'
import { useProject } from '../../lib/project/project'
import { notifyError } from '../notify'
import { useSample } from './use-sample'

interface SampleButtonProps<T> {
  isDisabled: boolean
  /** Fetches the part of an item that is sent. */
  read: (item: Item) => Promise<T>
  onSample: (sample: T) => void
}

/** Takes an item of the project's data, another one each time. */
export function SampleButton<T>({ isDisabled, read, onSample }: SampleButtonProps<T>) {
  const { t } = useTranslation('deployments')
  const sample = useSample(useProject().data?.dataset, read)
  const [turn, setTurn] = useState(0)
  const take = () => {
    setTurn(turn + 1)
    sample.mutate(turn, {
      onSuccess: (taken) => (taken === null ? notifyError(new Error(t('try.no_samples'))) : onSample(taken)),
    })
  }
  return (
    <Button variant="default" fullWidth mt="xs" disabled={isDisabled} loading={sample.isPending} onClick={take}>
      {t('try.sample')}
    </Button>
  )
}
