import { Group, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useKeyHints } from '../../lib/shortcuts/use-shortcuts'
import { KeyHint } from '../../ui/key-hint'
import { relabelChosen } from '../commands'
import type { Editor } from '../editor'
import classes from './canvas.module.css'
import { LabelSwatch } from './label-swatch'
import { useSignal } from './use-signal'

/** The labels, with how many items carry each: the one that new objects get, and by a click the chosen objects too. */
export function LabelList({ editor, counts }: { editor: Editor; counts?: Readonly<Record<string, number>> | undefined }) {
  const { t } = useTranslation('canvas')
  const hintOf = useKeyHints('canvas')
  useSignal(editor.labelsChanged)
  return (
    <section aria-label={t('labels.title')}>
      <Text size="xs" fw={600} c="dimmed" px="xs" pb={4}>
        {t('labels.title')}
      </Text>
      <ScrollArea.Autosize mah={190} type="auto" offsetScrollbars="present">
        {editor.labels.map(({ name, title, color, skeleton, isHatched }, index) => {
          const hint = index < 9 ? hintOf(`label_${index + 1}`) : undefined
          return (
            <UnstyledButton
              key={name}
              title={isHatched ? t('labels.ignored_about') : undefined}
              className={classes.row}
              data-chosen={editor.label === name || undefined}
              aria-pressed={editor.label === name}
              onClick={() => relabelChosen(editor, name)}
            >
              <LabelSwatch color={color} isHatched={isHatched} />
              <Text size="sm" truncate flex={1}>
                {title ?? name}
              </Text>
              <Group gap={6} wrap="nowrap">
                {skeleton && (
                  <Text size="xs" c="dimmed">
                    {t('labels.points', { count: skeleton.points.length })}
                  </Text>
                )}
                {counts && (
                  <Text size="xs" c="dimmed" aria-hidden>
                    {(counts[name] ?? 0).toLocaleString()}
                  </Text>
                )}
                {hint && <KeyHint>{hint}</KeyHint>}
              </Group>
            </UnstyledButton>
          )
        })}
      </ScrollArea.Autosize>
    </section>
  )
}
