import { Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  title: ReactNode
  help?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A titled box of a page. */
export function Section({ title, help, actions, children }: SectionProps) {
  return (
    <Paper component="section" miw={0}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
        <div>
          <Text component="h2" size="sm" fw={600} m={0}>
            {title}
          </Text>
          {help && (
            <Text size="xs" c="dimmed">
              {help}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Paper>
  )
}
