import type { ReactNode } from 'react'

import classes from './welcome.module.css'

export const STEPS = ['data', 'train', 'use'] as const
export type Step = (typeof STEPS)[number]

const DRAWINGS: Record<Step, ReactNode> = {
  data: (
    <>
      <rect className={classes.sheet} x={14} y={22} width={42} height={34} rx={3} />
      <circle className={classes.warm} cx={46} cy={31} r={4} />
      <path className={classes.fresh} d="M17 53 V47 L28 36 L39 47 L44 43 L53 52 V53 Z" />
      <rect className={classes.box} x={20} y={35} width={18} height={18} />
      <rect className={classes.sheet} x={50} y={14} width={34} height={24} rx={3} />
      <path className={classes.line} d="M56 21 H78 M56 27 H74 M56 33 H68" />
      <path className={classes.curve} d="M68 60 V46 M62 51 L68 45 L74 51" />
    </>
  ),
  train: (
    <>
      <rect className={classes.sheet} x={14} y={12} width={68} height={48} rx={3} />
      <path className={classes.line} d="M22 18 V52 H76" strokeWidth={1.5} />
      <path className={classes.curve} d="M24 49 C32 34 40 32 50 28 S66 22 72 20" />
      <circle className={classes.fresh} cx={72} cy={20} r={4} />
    </>
  ),
  use: (
    <>
      <rect className={classes.sheet} x={14} y={12} width={68} height={48} rx={3} />
      <path className={classes.line} d="M22 22 H34" />
      <path className={classes.curve} d="M28 32 L22 38 L28 44 M44 32 L50 38 L44 44 M38 30 L34 46" />
      <circle className={classes.fresh} cx={68} cy={38} r={9} />
      <path d="M64 38 l3 3 l5 -6" fill="none" stroke="white" strokeWidth={2} strokeLinecap="round" strokeLinejoin="round" />
    </>
  ),
}

/** What is done in a step, in both themes. */
export function StepDrawing({ step }: { step: Step }) {
  return (
    <svg className={classes.drawing} viewBox="0 0 96 72" aria-hidden>
      <rect className={classes.soft} width={96} height={72} rx={8} />
      {DRAWINGS[step]}
    </svg>
  )
}
