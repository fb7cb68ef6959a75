import { Badge, Group, Text } from '@mantine/core'

import { useNothingWord } from '../../../answers/nothing-word'
import type { Annotation, Label } from '../../../lib/api/types'
import classes from './annotation-chips.module.css'

/** An answer in a few words: its labels with their colours, drawn objects counted. */
export function AnnotationChips({ annotations, labels }: { annotations: readonly Annotation[]; labels: readonly Label[] }) {
  const nothing = useNothingWord()
  if (annotations.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {nothing}
      </Text>
    )
  const counts = new Map<string, number>()
  for (const one of annotations) {
    const name = 'label' in one ? one.label : one.kind
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const colorOf = (name: string) => labels.find((label) => label.name === name)?.color ?? 'gray'
  return (
    <Group gap={6}>
      {[...counts].map(([name, num]) => (
        <Badge key={name} variant="dot" color={colorOf(name)} tt="none" size="lg" classNames={{ root: classes.chip, label: classes.words }}>
          {num > 1 ? `${name} × ${num}` : name}
        </Badge>
      ))}
    </Group>
  )
}
