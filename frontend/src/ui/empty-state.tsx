import { Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: ReactNode
  children?: ReactNode
  icon?: ReactNode
  action?: ReactNode
  /** It is all there is on the page. */
  isPage?: boolean
}

/** Nothing here yet, and what to do about it. */
export function EmptyState({ title, children, icon, action, isPage = false }: EmptyStateProps) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={440} ta="center">
        {icon && <Text c="dimmed">{icon}</Text>}
        {isPage ? (
          <Title order={1} size="h3">
            {title}
          </Title>
        ) : (
          <Text fw={600}>{title}</Text>
        )}
        {children && (
          <Text size="sm" c="dimmed" component="div">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}
