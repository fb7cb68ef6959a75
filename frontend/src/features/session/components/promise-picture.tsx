import { useTranslation } from 'react-i18next'

import drawing from '../../../ui/drawing/drawing.module.css'
import classes from './promise-picture.module.css'

const PLACES = [
  { key: 'data', x: 0, y: 0 },
  { key: 'label', x: 250, y: 0 },
  { key: 'train', x: 0, y: 200 },
  { key: 'use', x: 250, y: 200 },
] as const

const DRAWINGS = { data: Data, label: Labelled, train: Training, use: Answer }

/** What the product does, in one picture: data, labels, training, an answered call. */
export function PromisePicture() {
  const { t } = useTranslation('session')
  return (
    <svg className={`${drawing.roles} ${classes.picture}`} viewBox="0 0 480 380" role="img" aria-label={t('picture.title')}>
      {PLACES.map(({ key, x, y }, index) => {
        const Drawing = DRAWINGS[key]
        return (
          <g key={key} transform={`translate(${x} ${y})`}>
            <rect className={drawing.soft} width={230} height={180} rx={12} />
            <circle className={drawing.accent} cx={24} cy={24} r={11} />
            <text className={classes.number} x={24} y={28.5}>
              {index + 1}
            </text>
            <text className={classes.caption} x={44} y={29}>
              {t(`picture.${key}`)}
            </text>
            <g transform="translate(20 46)">
              <Drawing />
            </g>
          </g>
        )
      })}
    </svg>
  )
}

/** Hills under a sun. */
function Landscape() {
  return (
    <>
      <rect className={drawing.sheet} width={110} height={84} rx={6} />
      <circle className={drawing.warm} cx={84} cy={22} r={9} />
      <path className={drawing.fresh} d="M4 80 L4 62 L34 34 L62 66 L78 52 L106 76 L106 80 Z" />
    </>
  )
}

function Data() {
  return (
    <>
      <g transform="translate(4 26) rotate(-5 55 42)">
        <Landscape />
      </g>
      <g transform="translate(86 2)">
        <rect className={drawing.sheet} width={96} height={66} rx={6} />
        <path className={classes.words} d="M12 16 H82 M12 31 H70 M12 46 H58" />
      </g>
      <g transform="translate(102 58)">
        <rect className={drawing.sheet} width={84} height={62} rx={6} />
        <path className={classes.line} d="M0 16 H84 M0 31 H84 M0 46 H84 M28 0 V62 M56 0 V62" />
        <path className={drawing.accent} d="M6 0 H78 A6 6 0 0 1 84 6 V16 H0 V6 A6 6 0 0 1 6 0 Z" />
      </g>
    </>
  )
}

function Labelled() {
  return (
    <>
      <g transform="translate(22 6) scale(1.32)">
        <Landscape />
      </g>
      <rect className={classes.box} x={26} y={48} width={82} height={66} />
      <rect className={drawing.warm} x={26} y={32} width={20} height={16} />
      <path d="M31 40 l4 4 l7 -8" stroke="white" strokeWidth={2.5} fill="none" strokeLinecap="round" strokeLinejoin="round" />
      <g transform="translate(128 84)">
        <path className={drawing.accent} d="M0 0 L26 10 L15 14 L10 26 Z" />
      </g>
    </>
  )
}

function Training() {
  return (
    <>
      <rect className={drawing.sheet} width={190} height={118} rx={6} />
      <path className={classes.line} d="M22 14 V100 H176 M22 71 H176 M22 43 H176" />
      <path className={classes.curve} d="M24 96 C44 56 62 48 88 40 S140 26 172 22" />
      <circle className={drawing.fresh} cx={172} cy={22} r={7} />
    </>
  )
}

function Answer() {
  return (
    <>
      <rect className={drawing.sheet} width={190} height={118} rx={6} />
      <circle className={drawing.fresh} cx={16} cy={16} r={4} />
      <text className={classes.code} x={28} y={20}>
        POST /predict
      </text>
      <path className={classes.line} d="M0 32 H190" />
      <text className={classes.code} x={16} y={56}>
        {'{ "label": "…",'}
      </text>
      <text className={classes.code} x={30} y={76}>
        {'"score": 0.97 }'}
      </text>
      <rect className={drawing.soft} x={16} y={92} width={158} height={8} rx={4} />
      <rect className={drawing.fresh} x={16} y={92} width={150} height={8} rx={4} />
    </>
  )
}
