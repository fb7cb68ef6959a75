import { Anchor, Text } from '@mantine/core'

/** The beginning of what was kept of a call; it leads to the whole. */
export function LoggedText({ words, url }: { words: string; url: string | null }) {
  const shown = (
    <Text size="xs" lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
      {words}
    </Text>
  )
  if (!url) return shown
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" c="inherit">
      {shown}
    </Anchor>
  )
}
