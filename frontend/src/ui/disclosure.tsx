import { Collapse, Group, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface DisclosureProps {
  title: ReactNode
  /** Beside the title, e.g. a button. */
  side?: ReactNode
  /** Whether it is open at first. */
  isOpen?: boolean
  children: ReactNode
}

/** A title that shows and hides what is below it; the content stays mounted, so that fields keep what was typed. */
export function Disclosure({ title, side, isOpen: isOpenAtFirst = false, children }: DisclosureProps) {
  const [isOpen, panel] = useDisclosure(isOpenAtFirst)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <UnstyledButton onClick={panel.toggle} aria-expanded={isOpen} fz="sm" fw={600} flex={1}>
          <Group gap={4} wrap="nowrap">
            <Chevron size={16} />
            {title}
          </Group>
        </UnstyledButton>
        {side}
      </Group>
      <Collapse expanded={isOpen}>{children}</Collapse>
    </div>
  )
}
