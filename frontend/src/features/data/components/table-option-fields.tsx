import { Button, Group, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { DECIMALS, ENCODINGS, SEPARATORS, type TableOptions, withOption } from '../model/table-preview'

interface TableOptionFieldsProps {
  /** Names of what can be chosen of the file. */
  offered: readonly string[]
  sheets: readonly string[]
  /** What is chosen, and what is guessed of the rest. */
  read: TableOptions
  chosen: TableOptions
  onChoose: (chosen: TableOptions) => void
}

/** How a table is read, to be changed where it is guessed wrong. */
export function TableOptionFields({ offered, sheets, read, chosen, onChoose }: TableOptionFieldsProps) {
  const { t } = useTranslation('data')
  const choose = <Name extends keyof TableOptions>(name: Name, value: TableOptions[Name]) => onChoose(withOption(chosen, name, value))
  const heads = [true, false]
  return (
    <Group gap="sm" align="flex-end">
      {offered.includes('separator') && (
        <OneOf
          label={t('staged.separator')}
          choices={SEPARATORS}
          value={read.separator}
          word={(one) => t(`staged.separators.${SEPARATOR_NAMES[one]}`)}
          onChange={(value) => choose('separator', value)}
        />
      )}
      {offered.includes('encoding') && (
        <OneOf
          label={t('staged.encoding')}
          choices={ENCODINGS}
          width={232}
          value={read.encoding}
          word={(one) => t(`staged.encodings.${one}`)}
          onChange={(value) => choose('encoding', value)}
        />
      )}
      {offered.includes('sheet') && sheets.length > 1 && (
        <OneOf
          label={t('staged.sheet')}
          choices={[null, ...sheets]}
          value={read.sheet ?? null}
          word={(one) => one ?? t('staged.sheets_alike')}
          onChange={(value) => choose('sheet', value)}
        />
      )}
      {offered.includes('has_head') && (
        <OneOf
          label={t('staged.head')}
          choices={heads}
          value={read.has_head}
          word={(one) => t(one ? 'staged.head_names' : 'staged.head_row')}
          onChange={(value) => choose('has_head', value)}
        />
      )}
      {offered.includes('decimal') && read.decimal && (
        <OneOf
          label={t('staged.decimal')}
          choices={DECIMALS}
          value={read.decimal}
          word={(one) => t(one === '.' ? 'staged.decimal_point' : 'staged.decimal_comma')}
          onChange={(value) => choose('decimal', value)}
        />
      )}
      {Object.keys(chosen).length > 0 && (
        <Button size="xs" variant="subtle" onClick={() => onChoose({})}>
          {t('staged.guess')}
        </Button>
      )}
    </Group>
  )
}

const SEPARATOR_NAMES = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar', '': 'none' } as const

interface OneOfProps<Value> {
  label: string
  choices: readonly Value[]
  /** Undefined while nothing is known. */
  value: Value | null | undefined
  width?: number
  word: (value: Value) => string
  onChange: (value: Value) => void
}

/** One of a few values, of any type. */
function OneOf<Value>({ label, choices, value, width = 176, word, onChange }: OneOfProps<Value>) {
  const place = choices.findIndex((one) => one === value)
  return (
    <Select
      size="xs"
      w={width}
      label={label}
      data={choices.map((one, at) => ({ value: String(at), label: word(one) }))}
      value={place < 0 ? null : String(place)}
      allowDeselect={false}
      onChange={(at) => {
        const found = choices[Number(at)]
        if (at !== null && found !== undefined) onChange(found)
      }}
    />
  )
}
