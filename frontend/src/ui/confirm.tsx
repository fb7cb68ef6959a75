import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import i18next from 'i18next'
import type { ReactNode } from 'react'

interface Question {
  title: string
  children: ReactNode
  confirm: string
  isDangerous?: boolean
  onConfirm: () => void
}

/** Asks before something that cannot be undone. */
export function confirm({ title, children, confirm: label, isDangerous, onConfirm }: Question): void {
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" component="div">
        {children}
      </Text>
    ),
    labels: { confirm: label, cancel: i18next.t('common:back') },
    confirmProps: { color: isDangerous ? 'red' : undefined },
    onConfirm,
  })
}
