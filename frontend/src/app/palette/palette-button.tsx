import { ActionIcon, Kbd, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useActionOf, useKeyHints } from '../../lib/shortcuts/use-shortcuts'
import classes from './palette.module.css'

const Palette = lazy(() => import('./palette'))

/** Opens the command palette, as its key does on any page, in fields too; what it needs is loaded then. */
export function PaletteButton() {
  const { t } = useTranslation('palette')
  const [isOpen, palette] = useDisclosure()
  const [wasOpened, setWasOpened] = useState(false)
  const actionOf = useActionOf('everywhere')
  const key = useKeyHints('everywhere')('palette')
  const open = () => {
    setWasOpened(true)
    palette.open()
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || actionOf(event)?.id !== 'palette') return
    event.preventDefault()
    if (isOpen) palette.close()
    // A dialog that waits for an answer is not left by the way.
    else if (!document.querySelector('[role=dialog][aria-modal=true], [role=alertdialog]')) open()
  })
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <UnstyledButton className={classes.opener} onClick={open} visibleFrom="sm" aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={15} stroke={1.6} aria-hidden />
        <Text size="sm" span>
          {t('open')}
        </Text>
        {key && <Kbd size="xs">{key}</Kbd>}
      </UnstyledButton>
      <Tooltip label={t('open')}>
        <ActionIcon hiddenFrom="sm" onClick={open} aria-label={t('open')}>
          <IconSearch size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {wasOpened && (
        <Suspense>
          <Palette isOpen={isOpen} onClose={palette.close} />
        </Suspense>
      )}
    </>
  )
}
