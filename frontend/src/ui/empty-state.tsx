import { Box, Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import { Drawing } from './drawing/drawing'
import type { Scene } from './drawing/scenes'

interface Words {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** It is all there is on the page. */
  isPage?: boolean
}

/** A whole page that is empty: a drawing, a sentence, and the next step, unless this person may not take it. */
interface EmptyPage extends Words {
  drawing: Scene
  children: ReactNode
  action: ReactNode
}

/** A part of a page. */
interface EmptyPart extends Words {
  icon?: ReactNode
}

/** Nothing here yet, and what to do about it. */
export function EmptyState(props: EmptyPage | EmptyPart) {
  const { title, children, action, isPage = false } = props
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={440} ta="center">
        {'drawing' in props ? <Drawing scene={props.drawing} width={144} /> : props.icon && <Text c="dimmed">{props.icon}</Text>}
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
        {action && (
          <Box mt={4} {...('drawing' in props ? { 'data-page-actions': true } : {})}>
            {action}
          </Box>
        )}
      </Stack>
    </Center>
  )
}
