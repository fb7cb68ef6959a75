import { IconFileText, IconMessageSearch } from '@tabler/icons-react'

import { formatNumber } from '../../lib/format'
import { Excerpt } from '../../ui/excerpt'
import type { ItemKind, LoggedInputProps, ThumbProps } from '../kind'
import { LoggedText } from '../logged-text'
import { besidePicture } from '../lines-beside'
import { ARCHIVES, TABLES } from '../upload-endings'
import { Line } from './line'
import { TextSketch } from './sketch'
import { TextStage } from './stage'
import { isCut, wholeTextQuery } from '../whole-text'

const Thumb = ({ item, size, lines }: ThumbProps) => (
  <Excerpt text={item.text ?? ''} {...(size ? besidePicture(size) : lines ? { lines } : {})} />
)

const LoggedInput = ({ call }: LoggedInputProps) => call.input_text !== null && <LoggedText words={call.input_text} url={call.input_url} />

export default {
  name: 'text',
  Thumb,
  hasThumbnails: false,
  Stage: TextStage,
  sizeText: ({ num_characters }, t) => t('characters', { count: num_characters ?? 0, shown: formatNumber(num_characters ?? 0) }),
  preload: (queries, item) => {
    if (isCut(item)) void queries.prefetchQuery(wholeTextQuery(item))
  },
  sketch: <TextSketch />,
  wall: { form: 'lines', Line },
  upload: {
    Icon: IconFileText,
    accept: `.txt,.text,.md,${TABLES},${ARCHIVES}`,
    hasFolders: true,
    dialogs: ['paste'],
    items: /\.txt$/i,
    takesLabels: true,
    examples: {
      urls: 'https://example.org/1.txt\nhttps://example.org/2.txt,complaint',
      prefix: 'reviews/2026/',
      folder: 'reviews/2026',
    },
  },
  // Texts need more space than pictures.
  similarity: { takes: 'words', Icon: IconMessageSearch, alikeFrom: null, card_px: 288 },
  labelsFrom: 'labelling',
  explained: new Set(['suggestion', 'answer']),
  findings: new Set([
    'leak',
    'exact_duplicate',
    'near_duplicate',
    'wrong_label',
    'garbled',
    'low_information',
    'outlier',
    'odd_size',
    'odd_language',
  ]),
  logColumn: { title: 'log.text', width: '34%', LoggedInput },
} satisfies ItemKind
