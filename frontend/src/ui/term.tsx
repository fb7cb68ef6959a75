import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import type terms from '../i18n/en/terms'
import { Explained } from './explained'

interface TermProps {
  word: keyof typeof terms
  /** As the page puts it. */
  children: ReactNode
}

/** A statistical word with its meaning, from the glossary `i18n/<language>/terms.ts`. */
export function Term({ word, children }: TermProps) {
  const { t } = useTranslation('terms')
  return <Explained help={t(word)}>{children}</Explained>
}
