import { Text, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { spacedOut } from '../lib/format'

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `3 minutes ago`, in the language given; null of less than a minute. */
export function relativeTime(value: string, now: number, language: string): string | null {
  const seconds = (new Date(value).getTime() - now) / 1000
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return spacedOut(words.format(Math.round(seconds / size), unit))
  }
  return null
}

/** A time relative to now, such as 5 minutes ago; the exact time on hover. */
export function RelativeTime({ value }: { value: string }) {
  const { t, i18n } = useTranslation('common')
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Tooltip label={new Date(value).toLocaleString(i18n.language)}>
      <Text component="time" dateTime={value} inherit span style={{ whiteSpace: 'nowrap' }}>
        {relativeTime(value, now, i18n.language) ?? t('just_now')}
      </Text>
    </Tooltip>
  )
}
