import type { ReactNode } from 'react'

import classes from './drawing.module.css'
import { ItemSketch } from './sketch'

/** Done: a tick on a disc of radius 9. */
function Tick() {
  return (
    <>
      <circle className={classes.fresh} r={9} />
      <path className={classes.mark} d="M-4 0 l3 3 l5 -6" />
    </>
  )
}

/** More of it: a plus on a disc of radius 9. */
function Plus() {
  return (
    <>
      <circle className={classes.accent} r={9} />
      <path className={classes.mark} d="M-4 0 H4 M0 -4 V4" />
    </>
  )
}

const Sheet = () => <rect className={classes.sheet} x={14} y={12} width={68} height={48} rx={3} />

/** What is on a ground of 96 x 72, by the thing that it stands for. */
export const SCENES = {
  data: (
    <>
      <g transform="translate(14 22)">
        <ItemSketch />
      </g>
      <rect className={classes.box} x={20} y={35} width={18} height={18} />
      <rect className={classes.sheet} x={50} y={14} width={34} height={24} rx={3} />
      <path className={classes.line} d="M56 21 H78 M56 27 H74 M56 33 H68" />
      <path className={classes.curve} d="M68 60 V46 M62 51 L68 45 L74 51" />
    </>
  ),
  train: (
    <>
      <Sheet />
      <path className={classes.line} d="M22 18 V52 H76" strokeWidth={1.5} />
      <path className={classes.curve} d="M24 49 C32 34 40 32 50 28 S66 22 72 20" />
      <circle className={classes.fresh} cx={72} cy={20} r={4} />
    </>
  ),
  use: (
    <>
      <Sheet />
      <path className={classes.line} d="M22 22 H34" />
      <path className={classes.curve} d="M28 32 L22 38 L28 44 M44 32 L50 38 L44 44 M38 30 L34 46" />
      <g transform="translate(68 38)">
        <Tick />
      </g>
    </>
  ),
  labels: (
    <>
      <g transform="translate(14 20)">
        <ItemSketch />
      </g>
      <rect className={classes.box} x={20} y={33} width={18} height={18} />
      <path className={classes.accent} d="M50 22 H74 L82 30 L74 38 H50 Z" />
      <circle className={classes.sheet} cx={73} cy={30} r={2} />
      <path className={classes.warm} d="M62 44 H76 L84 52 L76 60 H62 Z" />
      <circle className={classes.sheet} cx={75} cy={52} r={2} />
    </>
  ),
  quality: (
    <>
      <g transform="translate(14 12)">
        <ItemSketch />
      </g>
      <g transform="translate(26 26)">
        <ItemSketch />
      </g>
      <circle className={classes.curve} cx={62} cy={40} r={13} />
      <path className={classes.curve} d="M72 50 L81 59" strokeWidth={4} />
      <path className={classes.curve} d="M56 40 l4 4 l8 -8" />
    </>
  ),
  versions: (
    <>
      <path className={classes.sheet} d="M48 36 L80 48 L48 60 L16 48 Z" />
      <path className={classes.sheet} d="M48 25 L80 37 L48 49 L16 37 Z" />
      <path className={classes.accent} d="M48 12 L80 25 L48 38 L16 25 Z" />
      <path className={classes.mark} d="M40 25 l6 4 l10 -8" />
    </>
  ),
  model: (
    <>
      <path
        className={classes.line}
        d="M24 20 L48 28 M24 20 L48 48 M24 52 L48 28 M24 52 L48 48 M48 28 L72 37 M48 48 L72 37"
        strokeWidth={1.5}
      />
      <circle className={classes.warm} cx={22} cy={20} r={6} />
      <circle className={classes.warm} cx={22} cy={52} r={6} />
      <circle className={classes.accent} cx={48} cy={27} r={6} />
      <circle className={classes.accent} cx={48} cy={48} r={6} />
      <g transform="translate(74 37)">
        <Tick />
      </g>
    </>
  ),
  devices: (
    <>
      <rect className={classes.sheet} x={14} y={16} width={46} height={32} rx={3} />
      <path className={classes.line} d="M28 58 H46 M37 48 V58" />
      <path className={classes.curve} d="M31 26 L25 32 L31 38 M43 26 L49 32 L43 38" />
      <rect className={classes.sheet} x={56} y={26} width={24} height={36} rx={4} />
      <g transform="translate(68 44) scale(.8)">
        <Tick />
      </g>
    </>
  ),
  batch: (
    <>
      <Sheet />
      <path className={classes.line} d="M22 23 H42 M22 36 H38 M22 49 H44" />
      <rect className={classes.fresh} x={52} y={20} width={22} height={6} rx={3} />
      <rect className={classes.accent} x={52} y={33} width={14} height={6} rx={3} />
      <rect className={classes.warm} x={52} y={46} width={18} height={6} rx={3} />
    </>
  ),
  gallery: (
    <>
      <Sheet />
      <circle className={classes.warm} cx={30} cy={26} r={7} />
      <circle className={classes.warm} cx={30} cy={46} r={7} />
      <path className={classes.accent} d="M48 19 L55 32 H41 Z M48 39 L55 52 H41 Z" />
      <rect className={classes.fresh} x={60} y={20} width={13} height={13} rx={2} />
      <g transform="translate(67 46)">
        <Plus />
      </g>
    </>
  ),
  shelf: (
    <>
      <rect className={classes.warm} x={18} y={14} width={12} height={18} rx={1} />
      <rect className={classes.warm} x={33} y={14} width={12} height={18} rx={1} />
      <rect className={classes.accent} x={52} y={18} width={14} height={14} rx={2} />
      <path className={classes.line} d="M12 34 H84 M12 62 H84" />
      <rect className={classes.fresh} x={18} y={44} width={16} height={16} rx={2} />
      <rect className={classes.fresh} x={38} y={44} width={16} height={16} rx={2} />
      <rect className={classes.box} x={60} y={42} width={14} height={18} />
    </>
  ),
  template: (
    <>
      <rect className={classes.sheet} x={24} y={8} width={46} height={56} rx={3} />
      <path className={classes.line} d="M31 18 H46 M31 30 H41 M31 42 H41 M31 54 H41" />
      <rect className={classes.box} x={45} y={24} width={34} height={12} rx={2} />
      <rect className={classes.box} x={45} y={37} width={34} height={12} rx={2} />
      <path className={classes.curve} d="M50 30 H68 M50 43 H62" />
    </>
  ),
  columns: (
    <>
      <Sheet />
      <path className={classes.accent} d="M17 12 H79 A3 3 0 0 1 82 15 V23 H14 V15 A3 3 0 0 1 17 12 Z" />
      <path className={classes.line} d="M37 12 V60 M59 12 V60 M14 35 H82 M14 48 H82" strokeWidth={1.5} />
      <path className={classes.warm} d="M60 24 H81 V59 H60 Z" fillOpacity={0.6} />
    </>
  ),
  people: (
    <>
      <rect className={classes.sheet} x={32} y={10} width={32} height={26} rx={3} />
      <path className={classes.line} d="M38 18 H58 M38 26 H50" />
      <circle className={classes.warm} cx={26} cy={42} r={7} />
      <path className={classes.warm} d="M12 64 C12 48 40 48 40 64 Z" />
      <circle className={classes.accent} cx={70} cy={42} r={7} />
      <path className={classes.accent} d="M56 64 C56 48 84 48 84 64 Z" />
    </>
  ),
  notices: (
    <>
      <path className={classes.sheet} d="M48 12 C34 12 32 24 32 34 C32 44 28 48 24 52 H72 C68 48 64 44 64 34 C64 24 62 12 48 12 Z" />
      <path className={classes.curve} d="M43 58 C44 63 52 63 53 58" />
      <g transform="translate(65 22)">
        <Tick />
      </g>
    </>
  ),
  jobs: (
    <>
      <Sheet />
      <rect className={classes.soft} x={22} y={22} width={52} height={6} rx={3} />
      <rect className={classes.fresh} x={22} y={22} width={52} height={6} rx={3} />
      <rect className={classes.soft} x={22} y={34} width={52} height={6} rx={3} />
      <rect className={classes.accent} x={22} y={34} width={34} height={6} rx={3} />
      <rect className={classes.soft} x={22} y={46} width={52} height={6} rx={3} />
      <rect className={classes.warm} x={22} y={46} width={12} height={6} rx={3} />
    </>
  ),
  map: (
    <>
      <Sheet />
      {[
        [26, 24],
        [34, 20],
        [31, 29],
        [39, 26],
      ].map(([x, y]) => (
        <circle key={`${x}`} className={classes.warm} cx={x} cy={y} r={3} />
      ))}
      {[
        [60, 22],
        [67, 27],
        [58, 30],
      ].map(([x, y]) => (
        <circle key={`${x}`} className={classes.accent} cx={x} cy={y} r={3} />
      ))}
      {[
        [42, 46],
        [50, 42],
        [49, 51],
        [57, 47],
      ].map(([x, y]) => (
        <circle key={`${x}`} className={classes.fresh} cx={x} cy={y} r={3} />
      ))}
    </>
  ),
  key: (
    <>
      <circle className={classes.sheet} cx={34} cy={36} r={15} />
      <circle className={classes.curve} cx={34} cy={36} r={6} />
      <path className={classes.curve} d="M49 36 H80 M71 36 V46 M79 36 V44" strokeWidth={4} />
    </>
  ),
  done: (
    <>
      <g transform="translate(16 14)">
        <ItemSketch />
      </g>
      <g transform="translate(30 26)">
        <ItemSketch />
      </g>
      <g transform="translate(72 26) scale(1.3)">
        <Tick />
      </g>
    </>
  ),
  nothing_found: (
    <>
      <rect className={classes.sheet} x={14} y={14} width={30} height={20} rx={3} strokeDasharray="4 3" />
      <rect className={classes.sheet} x={14} y={40} width={30} height={20} rx={3} strokeDasharray="4 3" />
      <rect className={classes.sheet} x={50} y={14} width={30} height={20} rx={3} strokeDasharray="4 3" />
      <circle className={classes.curve} cx={62} cy={44} r={10} />
      <path className={classes.curve} d="M70 52 L79 61" strokeWidth={4} />
    </>
  ),
  lost: (
    <>
      <path className={classes.line} d="M48 20 V64" strokeWidth={3} />
      <path className={classes.accent} d="M30 14 H68 L76 21 L68 28 H30 Z" />
      <path className={classes.warm} d="M66 34 H30 L22 41 L30 48 H66 Z" />
      <text className={classes.glyph} x={49} y={25}>
        ?
      </text>
      <text className={classes.glyph} x={46} y={45}>
        ?
      </text>
    </>
  ),
  offline: (
    <>
      <path className={classes.sheet} d="M30 50 A13 13 0 0 1 32 24 A18 18 0 0 1 66 28 A11 11 0 0 1 68 50 Z" />
      <path className={classes.curve} d="M40 60 L56 18" stroke="var(--warm)" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type Scene = keyof typeof SCENES
