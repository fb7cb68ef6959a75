import { Kbd } from '@mantine/core'

/** A key of the keyboard, small. */
export function KeyHint({ children }: { children: string }) {
  return <Kbd size="xs">{children}</Kbd>
}
