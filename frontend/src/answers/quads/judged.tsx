import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../charts/format/format'
import { ItemThumb } from '../../items/item-thumb'
import { JudgedPair } from '../judged-pair'
import cards from '../judged-card.module.css'
import type { JudgedCardProps } from '../kind'
import { VerdictCard } from '../verdict-card'
import { LINE_COLORS, LINE_OUTCOMES, linesJudged, type OutcomeLine } from './lines'
import { QuadOverlay } from './quad-overlay'
import classes from './quads.module.css'

/** One picture with the lines that a model read rightly or wrongly, missed and imagined. */
export function JudgedCard({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('report')
  const lines = linesJudged(item, thresholds)
  if (lines.length === 0) {
    const nothing = t('items.nothing')
    return <VerdictCard item={item} truth={nothing} answer={nothing} isRight title={t('items.score')} value={formatFraction(null)} />
  }
  return (
    <figure className={cards.card}>
      <div className={cards.picture}>
        <ItemThumb item={{ ...item, row: null }} alt={item.name} />
        <Outcomes item={item} lines={lines} />
      </div>
      <dl className={cards.facts}>
        <Counts lines={lines} />
      </dl>
    </figure>
  )
}

/** Every line that was read, missed or imagined, expected beside read. */
export function JudgedFacts({ item, thresholds }: JudgedCardProps) {
  const { t } = useTranslation('report')
  const lines = linesJudged(item, thresholds)
  const nothing = t('items.nothing')
  if (lines.length === 0) return <JudgedPair truth={nothing} answer={nothing} isRight />
  return (
    <>
      <dl className={cards.pair}>
        <Counts lines={lines} />
      </dl>
      <ul className={classes.lines}>
        {lines.map(({ outcome, truth, given }, place) => (
          <li key={place}>
            <span className={classes.swatch} style={{ background: LINE_COLORS[outcome] }} title={t(`text_lines.outcome.${outcome}`)} />
            <dl className={classes.pair}>
              <dt>{t('text_lines.expected')}</dt>
              <dd>{truth || '–'}</dd>
              <dt>{t('text_lines.read_as')}</dt>
              <dd>{given || '–'}</dd>
            </dl>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The same over a picture that is shown large, with what was read. */
export function JudgedOverlay({ item, thresholds }: JudgedCardProps) {
  return <Outcomes item={item} lines={linesJudged(item, thresholds)} hasTexts />
}

interface OutcomesProps {
  item: JudgedCardProps['item']
  lines: readonly OutcomeLine[]
  hasTexts?: boolean
}

function Outcomes({ item, lines, hasTexts = false }: OutcomesProps) {
  if (item.width_px === null || item.height_px === null) return null
  const shown = lines.map(({ points, truth, given, outcome }) => ({
    points,
    text: given || truth,
    color: LINE_COLORS[outcome],
    isDashed: outcome === 'missed',
  }))
  return <QuadOverlay lines={shown} width_px={item.width_px} height_px={item.height_px} hasTexts={hasTexts} />
}

function Counts({ lines }: { lines: readonly OutcomeLine[] }) {
  const { t } = useTranslation('report')
  return LINE_OUTCOMES.map((outcome) => (
    <div key={outcome} className={cards.outcome}>
      <dt>
        <span className={cards.swatch} style={{ background: LINE_COLORS[outcome] }} />
        {t(`text_lines.outcome.${outcome}`)}
      </dt>
      <dd>{lines.filter((line) => line.outcome === outcome).length}</dd>
    </div>
  ))
}
