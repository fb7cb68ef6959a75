import { Button, Group, NumberInput, Popover, SegmentedControl, Stack, TagsInput, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp, IconFilterFilled } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Column } from '../../../lib/table/columns'
import { DayField } from '../../../ui/day-field'
import { type ColumnFilter, NO_COLUMN_FILTER } from '../model/cell-tests'
import classes from './column-menu.module.css'

type Direction = 'ascending' | 'descending'

interface ColumnMenuProps {
  column: Column
  direction: Direction | null
  filter: ColumnFilter
  /** Values that the column is known to have. */
  known: readonly string[]
  /** Null: as the rows were added. */
  onSort: (direction: Direction | null) => void
  onFilter: (filter: ColumnFilter) => void
  /** The name of the column as it stands in the head. */
  children: ReactNode
}

const MISSING = ['any', 'none', 'only'] as const

/** The head of a column that sorts the rows by it and filters them. */
export function ColumnMenu({ column, direction, filter, known, onSort, onFilter, children }: ColumnMenuProps) {
  const { t } = useTranslation('data')
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(NO_COLUMN_FILTER)
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    // The grid hears keys too, wherever they bubble from.
    <div className={classes.head} onKeyDown={(event) => event.stopPropagation()}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={250} shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton
            className={classes.button}
            aria-label={t('grid.sort_filter', { name: column.name })}
            title={t('grid.sort_filter', { name: column.name })}
            data-active={direction !== null || isFiltered || undefined}
            onClick={() => setOpen(!isOpen)}
          >
            {children}
            {direction && <Arrow size={14} stroke={2} aria-hidden />}
            {isFiltered && <IconFilterFilled size={12} aria-hidden />}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="sm">
            <Button.Group orientation="vertical" aria-label={t('grid.sort')}>
              {(['ascending', 'descending'] as const).map((one) => (
                <Button
                  key={one}
                  size="xs"
                  justify="start"
                  variant={direction === one ? 'light' : 'default'}
                  aria-pressed={direction === one}
                  leftSection={one === 'ascending' ? <IconArrowUp size={14} /> : <IconArrowDown size={14} />}
                  onClick={() => {
                    close()
                    onSort(direction === one ? null : one)
                  }}
                >
                  {t(`grid.${one}.${column.kind}`)}
                </Button>
              ))}
            </Button.Group>
            <ColumnForm
              column={column}
              filter={filter}
              known={known}
              isFiltered={isFiltered}
              onFilter={(after) => {
                close()
                onFilter(after)
              }}
            />
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

interface ColumnFormProps extends Pick<ColumnMenuProps, 'column' | 'filter' | 'known' | 'onFilter'> {
  isFiltered: boolean
}

/** What is asked of the cells of a column; nothing happens before it is applied. */
function ColumnForm({ column, filter, known, isFiltered, onFilter }: ColumnFormProps) {
  const { t } = useTranslation('data')
  const [asked, setAsked] = useState(filter)
  const missingId = useId()
  const ask = (change: Partial<ColumnFilter>) => setAsked({ ...asked, ...change })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onFilter(asked)
      }}
    >
      <Stack gap="xs">
        {asked.missing !== 'only' && <AskedFields column={column} asked={asked} known={known} ask={ask} />}
        <div>
          <Text size="xs" fw={500} id={missingId}>
            {t('grid.missing')}
          </Text>
          <SegmentedControl
            size="xs"
            fullWidth
            aria-labelledby={missingId}
            value={asked.missing}
            onChange={(missing) => ask({ missing: missing as ColumnFilter['missing'] })}
            data={MISSING.map((value) => ({ value, label: t(`grid.missing_${value}`) }))}
          />
        </div>
        <Group gap="xs" justify="flex-end">
          {isFiltered && (
            <Button size="xs" variant="subtle" onClick={() => onFilter(NO_COLUMN_FILTER)}>
              {t('grid.clear')}
            </Button>
          )}
          <Button size="xs" type="submit">
            {t('grid.apply')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface AskedFieldsProps {
  column: Column
  asked: ColumnFilter
  known: readonly string[]
  ask: (change: Partial<ColumnFilter>) => void
}

function AskedFields({ column, asked, known, ask }: AskedFieldsProps) {
  const { t } = useTranslation('data')
  switch (column.kind) {
    case 'number':
      return (
        <Group grow gap="xs">
          {(['from', 'to'] as const).map((end) => (
            <NumberInput
              key={end}
              size="xs"
              hideControls
              label={t(`grid.${end}`)}
              value={asked[end]}
              onChange={(value) => ask({ [end]: String(value) })}
            />
          ))}
        </Group>
      )
    case 'datetime':
      return (
        <Group grow gap="xs">
          {(['from', 'to'] as const).map((end) => (
            <DayField
              key={end}
              label={t(`grid.${end}`)}
              value={asked[end] || null}
              onChange={(day) => ask({ [end]: day ?? '' })}
              popoverProps={{ withinPortal: false }}
            />
          ))}
        </Group>
      )
    case 'category':
      return (
        <TagsInput
          size="xs"
          label={t('grid.values')}
          placeholder={asked.values.length ? undefined : t('grid.values_hint')}
          data={[...known]}
          value={[...asked.values]}
          onChange={(values) => ask({ values })}
          acceptValueOnBlur
          comboboxProps={{ withinPortal: false }}
        />
      )
    case 'text':
      return (
        <TextInput size="xs" label={t('grid.part')} value={asked.part} onChange={(event) => ask({ part: event.currentTarget.value })} />
      )
  }
}
