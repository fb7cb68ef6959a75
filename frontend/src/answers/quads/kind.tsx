import { lazy } from 'react'

import { formatFraction } from '../../charts/format/format'
import type { AnswerKind } from '../kind'
import { topText } from '../top-text'
import { JudgedCard, JudgedFacts, JudgedOverlay } from './judged'
import { textOf } from './lines'
import { Overlay } from './overlay'
import { Prediction } from './prediction'

/** Only the page of a deployment shows it. */
const FormsTryOut = lazy(() => import('./forms-try-out'))

/** Lines of text. They are outlines that say something; others are areas, which the kind `mask` draws. */
export default {
  name: 'quads',
  annotation: 'polygon',
  outputs: ['quads'],
  lies: ({ attributes }) => attributes?.some(({ name }) => name === 'text') ?? false,
  input: 'draw',
  isOfWhole: false,
  hasLabels: true,
  hasUncertainty: true,
  format: formatFraction,
  text: textOf,
  callText: topText,
  Overlay,
  Prediction,
  FurtherTryOut: FormsTryOut,
  downloads: [{ key: 'fields', href: (prediction) => `/api/predictions/${prediction}/fields` }],
  JudgedCard,
  JudgedFacts,
  JudgedOverlay,
} satisfies AnswerKind
