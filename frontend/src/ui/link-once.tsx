import { Alert, Code, Group, Text } from '@mantine/core'

import { CopyButton } from './copy-button'

/** A link that is shown this once. */
export function LinkOnce({ title, text, link }: { title: string; text: string; link: string }) {
  return (
    <Alert title={title} role="status">
      <Text size="sm" mb="xs">
        {text}
      </Text>
      <Group wrap="nowrap" gap="xs">
        <Code block style={{ flex: 1, overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
          {link}
        </Code>
        <CopyButton value={link} />
      </Group>
    </Alert>
  )
}
