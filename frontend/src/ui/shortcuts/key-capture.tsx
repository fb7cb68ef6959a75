import { Kbd } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

import { chordsOf } from '../../lib/shortcuts/chord'

/** Waits for the next key press, whatever it would do elsewhere; Escape alone gives up. */
export function KeyCapture({ onPress, onCancel }: { onPress: (chord: string) => void; onCancel: () => void }) {
  const { t } = useTranslation('shortcuts')
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      event.preventDefault()
      event.stopPropagation()
      const [chord] = chordsOf(event)
      if (chord === 'Escape') onCancel()
      else if (chord !== undefined && chord !== 'Tab' && chord !== 'shift+Tab') onPress(chord)
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [onPress, onCancel])
  return (
    <Kbd size="xs" role="status">
      {t('press')}
    </Kbd>
  )
}
