import { ActionIcon, Button, Center, Group, Loader, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
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
  const [size, setSize] = useLocalStorage<number>({ key: 'modelyard.text-size', defaultValue: USUAL_REM })
  const scroll = useRef<HTMLDivElement>(null)
  useScrollKeys(scroll)
  return (
    <div className={classes.stage}>
      <div key={item.picture_url} ref={scroll} className={classes.scroll} role="region" aria-label={item.name} tabIndex={0}>
        <div className={classes.column} dir="auto" style={{ fontSize: `${size}rem` }}>
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
      <TextSize size={size} onChange={setSize} />
      {children}
    </div>
  )
}

const SIZES_REM = [0.875, 1, 1.1875, 1.4375, 1.75, 2.125] as const
const USUAL_REM = SIZES_REM[2]

/** Makes the text smaller or larger. */
function TextSize({ size, onChange }: { size: number; onChange: (size: number) => void }) {
  const { t } = useTranslation('common')
  const smaller = SIZES_REM.findLast((one) => one < size)
  const larger = SIZES_REM.find((one) => one > size)
  return (
    <ActionIcon.Group className={classes.sizes}>
      <ActionIcon
        variant="default"
        size="sm"
        fz={10}
        fw={600}
        aria-label={t('text_smaller')}
        title={t('text_smaller')}
        disabled={smaller === undefined}
        onClick={() => smaller !== undefined && onChange(smaller)}
      >
        A−
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="sm"
        fz={12}
        fw={600}
        aria-label={t('text_larger')}
        title={t('text_larger')}
        disabled={larger === undefined}
        onClick={() => larger !== undefined && onChange(larger)}
      >
        A+
      </ActionIcon>
    </ActionIcon.Group>
  )
}
