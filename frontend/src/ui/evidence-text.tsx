import { Tooltip } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'

import { type Evidence, evidencePieces } from '../lib/evidence'
import { EvidenceLegend } from './evidence-legend'
import classes from './evidence-text.module.css'

/** A text with what counted in it, and a legend. */
export function EvidenceText({ text, evidence }: { text: string; evidence: Evidence }) {
  const { t } = useTranslation('common')
  return (
    <div>
      <div className={classes.text} dir="auto" role="region" tabIndex={0} aria-label={t('evidence.of', { label: evidence.label })}>
        <EvidenceMarks text={text} evidence={evidence} />
      </div>
      <EvidenceLegend evidence={evidence} />
    </div>
  )
}

/** A text whose words are tinted by what they count: blue speaks for the label, orange with dots below against it. */
export function EvidenceMarks({ text, evidence: { label, segments } }: { text: string; evidence: Evidence }) {
  const { t } = useTranslation('common')
  const sentence = (fall: number) => {
    const points = (Math.abs(fall) * 100).toFixed(Math.abs(fall) < 0.1 ? 2 : 1)
    return t(fall < 0 ? 'evidence.rises' : 'evidence.falls', { label, points })
  }
  return (
    <Tooltip.Group openDelay={100} closeDelay={50}>
      {evidencePieces(text, segments).map((piece, index) => (
        <span key={index}>
          {piece.before}
          {piece.strength ? (
            <Tooltip label={sentence(piece.fall)}>
              <mark
                className={classes.mark}
                data-against={piece.weight < 0 || undefined}
                style={{ '--strength': `${Math.round(12 + 58 * piece.strength)}%` } as CSSProperties}
              >
                {piece.text}
              </mark>
            </Tooltip>
          ) : (
            piece.text
          )}
          {piece.after}
        </span>
      ))}
    </Tooltip.Group>
  )
}
