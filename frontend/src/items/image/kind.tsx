import { IconPhoto, IconPhotoSearch } from '@tabler/icons-react'

import { PictureSketch } from '../../ui/drawing/sketch'
import type { ItemKind } from '../kind'
import { ARCHIVES } from '../upload-endings'
import { LoggedInput } from './logged-input'
import { preloadPicture } from './preload'
import { PictureStage } from './stage'
import { Thumb } from './thumb'

export default {
  name: 'image',
  Thumb,
  hasThumbnails: true,
  Stage: PictureStage,
  sizeText: ({ width, height }) => `${width} × ${height}`,
  preload: (_, { picture_url }) => preloadPicture(picture_url),
  sketch: <PictureSketch />,
  wall: { form: 'tiles' },
  upload: {
    Icon: IconPhoto,
    accept: `image/*,${ARCHIVES},.csv`,
    hasFolders: true,
    dialogs: [],
    items: null,
    takesLabels: true,
    examples: { urls: 'https://example.org/1.jpg\nhttps://example.org/2.jpg,rose', prefix: 'pictures/2026/', folder: 'flowers/2026' },
  },
  // Of the nearest picture. Among the quick-start drawings kin have 0.32 to 0.67, noise finds 0.21 and a plain gradient 0.25.
  similarity: { takes: 'file', Icon: IconPhotoSearch, alikeFrom: 0.3, card_px: 176 },
  labelsFrom: 'labelling',
  explained: new Set(['answer']),
  findings: new Set([
    'leak',
    'exact_duplicate',
    'near_duplicate',
    'wrong_label',
    'unreadable',
    'blurred',
    'dark',
    'bright',
    'low_information',
    'outlier',
    'odd_aspect',
    'odd_size',
    'odd_colour',
  ]),
  logColumn: { title: null, width: 90, align: 'right', LoggedInput },
} satisfies ItemKind
