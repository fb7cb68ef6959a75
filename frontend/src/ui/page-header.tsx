import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'

interface PageHeaderProps {
  title: ReactNode
  /** For the browser's tab, when the title is more than text. */
  name?: string
  subtitle?: ReactNode
  actions?: ReactNode
}

/** The first line of every page: what it is, and what can be done here; the command palette offers that too. */
export function PageHeader({ title, name, subtitle, actions }: PageHeaderProps) {
  const words = name ?? (typeof title === 'string' ? title : '')
  useEffect(() => {
    document.title = words ? `${words} · Modelyard` : 'Modelyard'
  }, [words])
  return (
    <Group justify="space-between" align="flex-start" gap="xs" mb="md" mih={44}>
      <Stack gap={2} miw={0} flex="1 1 220px">
        <Title order={1}>{title}</Title>
        {subtitle && (
          <Text size="sm" c="dimmed" component="div">
            {subtitle}
          </Text>
        )}
      </Stack>
      {actions && (
        <Group gap="xs" data-no-print data-page-actions>
          {actions}
        </Group>
      )}
    </Group>
  )
}
