/** What is noted of a version: a person's own words, or those of the platform in the language that is spoken. */
import { useTranslation } from 'react-i18next'

interface Noted {
  note: string
  /** Where the platform kept what was there before another version was restored: the number of that one. */
  note_restored_number: number | null
}

export function useVersionNote(): (version: Noted) => string {
  const { t } = useTranslation('common')
  return ({ note, note_restored_number: number }) => (number === null ? note : t('version_note.before_restore', { number }))
}
