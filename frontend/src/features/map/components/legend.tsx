import { ActionIcon, Select, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { IconSelectAll } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

import { useNothingWord } from '../../../answers/nothing-word'
import { formatNumber } from '../../../lib/format'
import { COLOR_BY, type ColorBy, type LegendEntry, NO_LABEL } from '../model/coloring'
import classes from './map.module.css'

interface LegendProps {
  by: ColorBy
  onBy: (by: ColorBy) => void
  legend: readonly LegendEntry[]
  isHidden: readonly boolean[]
  onToggle: (place: number) => void
  onSelect: (place: number) => void
}

/** What the colours mean. An entry hides or shows its pictures; the button behind it selects them. */
export function Legend({ by, onBy, legend, isHidden, onToggle, onSelect }: LegendProps) {
  const { t } = useTranslation('map')
  const nothing = useNothingWord()
  const nameOf = ({ name, isKey }: LegendEntry) => (!isKey ? name : name === NO_LABEL ? nothing : t(name))
  return (
    <Stack gap="xs">
      <Select
        label={t('color_by')}
        data={COLOR_BY.map((value) => ({ value, label: t(`by.${value}`) }))}
        value={by}
        onChange={(value) => value && onBy(value as ColorBy)}
        allowDeselect={false}
        comboboxProps={{ withinPortal: true }}
      />
      <div role="group" aria-label={t('legend_title')}>
        {legend.map((entry, place) => {
          const name = nameOf(entry)
          return (
            <div key={`${by}-${entry.name}`} style={{ display: 'flex', alignItems: 'center' }}>
              <UnstyledButton className={classes.entry} aria-pressed={!isHidden[place]} onClick={() => onToggle(place)}>
                <span className={classes.dot} style={{ background: entry.color }} />
                <Text size="sm" truncate flex={1}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {formatNumber(entry.count)}
                </Text>
              </UnstyledButton>
              <Tooltip label={t('select_all_of', { name })}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t('select_all_of', { name })}
                  onClick={() => onSelect(place)}
                >
                  <IconSelectAll size={15} />
                </ActionIcon>
              </Tooltip>
            </div>
          )
        })}
      </div>
    </Stack>
  )
}
