import { Group, Loader, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatNumber } from '../../../lib/format'
import { filesOfDrop, type IncomingFile, measured } from '../../../lib/upload/incoming'
import { notifyError } from '../../../ui/notify'
import classes from './drop-area.module.css'
import { DropField } from './drop-field'

interface DropAreaProps {
  /** Whether the field with its buttons is shown; a drop is taken anywhere on the page in any case. */
  isVisible: boolean
  isLarge: boolean
  isDisabled: boolean
  onFiles: (files: IncomingFile[]) => void
  children: ReactNode
}

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Takes pictures, folders and archives that are dropped anywhere on the page, or chosen by button. */
export function DropArea({ isVisible, isLarge, isDisabled, onFiles, children }: DropAreaProps) {
  const { t } = useTranslation('data')
  const [isOver, setOver] = useState(false)
  const [reading, setReading] = useState<{ done: number; all: number } | null>(null)
  // Entering a child fires before leaving its parent: a counter shows when the pointer has really left.
  const depth = useRef(0)

  const enter = (step: 1 | -1) => (event: DragEvent) => {
    if (isDisabled || !hasFiles(event)) return
    depth.current += step
    setOver(depth.current > 0)
  }
  const take = (coming: IncomingFile[] | Promise<IncomingFile[]>) => {
    setReading({ done: 0, all: 0 })
    Promise.resolve(coming)
      .then((files) => measured(files, (done) => setReading({ done, all: files.length })))
      .then(onFiles, notifyError)
      .finally(() => setReading(null))
  }
  const drop = (event: DragEvent) => {
    if (isDisabled || !hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    take(filesOfDrop(event.dataTransfer))
  }

  return (
    <div
      className={classes.page}
      data-over={isOver || undefined}
      onDragEnter={enter(1)}
      onDragLeave={enter(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={drop}
    >
      {isOver && (
        <div className={classes.overlay}>
          <Text className={classes.words} fw={600}>
            {t('drop.release')}
          </Text>
        </div>
      )}
      {reading && (
        <Group gap="xs" mb="md" role="status">
          <Loader size="xs" />
          <Text size="sm">
            {reading.done > 0
              ? t('drop.reading_files', { done: formatNumber(reading.done), all: formatNumber(reading.all) })
              : t('drop.reading')}
          </Text>
        </Group>
      )}
      {isVisible && <DropField isLarge={isLarge} isBusy={reading !== null} onFiles={take} />}
      {children}
    </div>
  )
}
