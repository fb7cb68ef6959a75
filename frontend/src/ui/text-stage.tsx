import { Button, Center, Group, Loader, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { type CutText, useWholeText } from '../lib/whole-text'
import classes from './text-stage.module.css'

interface TextStageProps {
  item: CutText & { name: string }
  children?: ReactNode
}

/** A text to be read: a column of some seventy letters in large type, which scrolls by itself. The rest of a long one follows. */
export function TextStage({ item, children }: TextStageProps) {
  const { t } = useTranslation('common')
  const { text, isLoading, error, retry } = useWholeText(item)
  const scroll = useRef<HTMLDivElement>(null)
  // The arrows scroll at once, unless somebody is writing elsewhere.
  useEffect(() => {
    if (document.activeElement === document.body) scroll.current?.focus({ preventScroll: true })
  }, [item.picture_url])
  return (
    <div className={classes.stage}>
      <div key={item.picture_url} ref={scroll} className={classes.scroll} role="region" aria-label={item.name} tabIndex={0}>
        <div className={classes.column} dir="auto">
          {text}
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
