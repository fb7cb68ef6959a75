import { Button, Center, Group, Loader, Text } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { useScrollKeys } from '../../lib/use-scroll-keys'
import { type CutText, useWholeText } from '../whole-text'
import type { Evidence } from '../../lib/evidence'
import { EvidenceMarks } from '../../ui/evidence-text'
import classes from './stage.module.css'

interface TextStageProps {
  item: CutText & { name: string }
  /** Tints what counted. */
  evidence?: Evidence | undefined
  children?: ReactNode
}

/** A text to be read: a column of some seventy letters in large type, which scrolls by itself. The rest of a long one follows. */
export function TextStage({ item, evidence, children }: TextStageProps) {
  const { t } = useTranslation('common')
  const { text, isLoading, error, retry } = useWholeText(item)
  const scroll = useRef<HTMLDivElement>(null)
  useScrollKeys(scroll)
  return (
    <div className={classes.stage}>
      <div key={item.picture_url} ref={scroll} className={classes.scroll} role="region" aria-label={item.name} tabIndex={0}>
        <div className={classes.column} dir="auto">
          {evidence && text !== null ? <EvidenceMarks text={text} evidence={evidence} /> : text}
          {isLoading && (
            <Center component="span" mt="md">
              <Loader size="xs" />
            </Center>
          )}
          {error && (
            <Group gap="xs" mt="md">
              <Text size="sm" c="dimmed">
                {t('text_cut')}
              </Text>
              <Button size="compact-sm" variant="default" onClick={retry}>
                {t('error.retry')}
              </Button>
            </Group>
          )}
        </div>
      </div>
      {children}
    </div>
  )
}
