import { Group, Text } from '@mantine/core'

import type { Task } from '../../../lib/api/types'
import { useLocalText } from '../../../lib/local-text'
import classes from './drop-area.module.css'

/** What may be dropped, drawn: folders with their files, or the first lines of a table. */
export function UploadHelp({ examples }: { examples: Task['upload_help'] }) {
  const local = useLocalText()
  if (!examples?.length) return null
  return (
    <Group component="ul" className={classes.help} gap="sm" justify="center" align="stretch">
      {examples.map((example) => (
        <li key={example.title.en} className={classes.example}>
          <Text size="xs" fw={600}>
            {local(example.title)}
          </Text>
          <pre className={classes.drawing}>{local(example.drawing)}</pre>
        </li>
      ))}
    </Group>
  )
}
