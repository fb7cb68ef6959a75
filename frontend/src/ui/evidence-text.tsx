import { Group, Text, Tooltip } from '@mantine/core'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'

import { evidencePieces, type Segment } from '../lib/evidence'
import classes from './evidence-text.module.css'

interface EvidenceTextProps {
  text: string
  /** Whose score was looked at. */
  label: string
  segments: readonly Segment[]
}

/** A text whose words are tinted by what they count: blue speaks for the label, orange with dots below against it. */
export function EvidenceText({ text, label, segments }: EvidenceTextProps) {
  const { t } = useTranslation('common')
  const pieces = evidencePieces(text, segments)
  return (
    <div>
      <div className={classes.text} dir="auto" role="region" tabIndex={0} aria-label={t('evidence.of', { label })}>
        <Tooltip.Group openDelay={100} closeDelay={50}>
          {pieces.map((piece, index) => (
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
      </div>
      {pieces.some((piece) => piece.strength) ? (
        <Group gap="md" mt="xs">
          <Text size="xs" c="dimmed">
            <mark className={classes.sample}>&nbsp;</mark> {t('evidence.for', { label })}
          </Text>
          <Text size="xs" c="dimmed">
            <mark className={classes.sample} data-against>
              &nbsp;
            </mark>{' '}
            {t('evidence.against', { label })}
          </Text>
        </Group>
      ) : (
        <Text size="xs" c="dimmed" mt="xs">
          {t('evidence.nothing')}
        </Text>
      )}
    </div>
  )

  function sentence(fall: number): string {
    const points = (Math.abs(fall) * 100).toFixed(Math.abs(fall) < 0.1 ? 2 : 1)
    return t(fall < 0 ? 'evidence.rises' : 'evidence.falls', { label, points })
  }
}
