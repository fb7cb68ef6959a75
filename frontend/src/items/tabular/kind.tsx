import { IconTable } from '@tabler/icons-react'

import { formatNumber } from '../../lib/format'
import { Excerpt } from '../../ui/excerpt'
import type { ItemKind, LoggedInputProps, ThumbProps } from '../kind'
import { LoggedText } from '../logged-text'
import { besidePicture } from '../lines-beside'
import { ARCHIVES, TABLES } from '../upload-endings'
import { RowExplanation } from './explanation'
import { RowThumb } from './row'
import { cellsOfText } from './row-cells'
import { TableSketch } from './sketch'
import { RowStage } from './stage'

/** The first cells; as it is kept where the cells cannot be read from what is here. */
function Thumb({ item, size, lines }: ThumbProps) {
  const cells = item.row?.cells ?? cellsOfText(item.text)
  const limits = size ? besidePicture(size) : lines ? { lines } : {}
  return cells ? <RowThumb cells={cells} {...limits} /> : <Excerpt text={item.text ?? ''} {...limits} />
}

/** The first cells, each with its column. */
function LoggedInput({ call: { input_row, input_url } }: LoggedInputProps) {
  if (input_row == null) return null
  const cells = Object.entries(input_row).map(([name, cell]) => `${name} ${cell}`)
  return <LoggedText words={cells.join(' · ')} url={input_url} />
}

export default {
  name: 'tabular',
  Thumb,
  hasThumbnails: false,
  Stage: RowStage,
  sizeText: ({ num_cells }, t) => t('cells', { count: num_cells ?? 0, shown: formatNumber(num_cells ?? 0) }),
  // A row comes whole.
  preload: () => undefined,
  sketch: <TableSketch />,
  wall: { form: 'sheet' },
  upload: {
    Icon: IconTable,
    accept: `${TABLES},${ARCHIVES}`,
    hasFolders: false,
    dialogs: ['database'],
    items: null,
    // The labels of a table's rows stand in its columns.
    takesLabels: false,
    examples: {
      urls: 'https://example.org/orders.csv\nhttps://example.org/2025.parquet',
      prefix: 'orders/2026/',
      folder: 'orders/2026',
    },
  },
  // Nothing is computed of rows before a model is trained on them.
  similarity: null,
  labelsFrom: 'columns',
  explained: new Set(['answer']),
  Explanation: RowExplanation,
  findings: new Set(['leak', 'exact_duplicate', 'wrong_label', 'outlier']),
  logColumn: { title: 'log.row', width: '34%', LoggedInput },
} satisfies ItemKind
