import { Alert, Code, Drawer, Group, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatAmount, formatFraction } from '../../../charts/format/format'
import { Histogram } from '../../../charts/histogram/histogram'
import { ValueBars } from '../../../charts/value-bars/value-bars'
import { formatNumber } from '../../../lib/format'
import { formatMoment } from '../../../lib/table/cells'
import type { Column } from '../../../lib/table/columns'
import { Facts } from '../../../ui/facts'
import { KindIcon } from '../../../ui/kind-icon'
import type { ColumnProfile } from '../api/types'
import type { ColumnLine } from '../model/profile'
import { useWarningWords } from './use-warning-words'

interface ColumnDrawerProps {
  line: ColumnLine | null
  canChange: boolean
  onChange: (column: string, changes: Partial<Column>) => void
  onClose: () => void
}

const MAX_SPELLINGS = 24
/** What the server takes: at most 24 characters, none in front that a number might end with. */
const SPELLING = /^[^\s\d+\-.,()](.{0,22}\S)?$/u

/** All there is to know of one column. */
export function ColumnDrawer({ line, canChange, onChange, onClose }: ColumnDrawerProps) {
  return (
    <Drawer
      opened={line !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={
        line && (
          <Group gap={8}>
            <KindIcon kind={line.column.kind} size={18} />
            {line.column.name}
          </Group>
        )
      }
    >
      {line && <ColumnDetail key={line.column.name} line={line} canChange={canChange} onChange={onChange} />}
    </Drawer>
  )
}

function ColumnDetail({
  line: { column, profile, warnings },
  canChange,
  onChange,
}: Omit<ColumnDrawerProps, 'line' | 'onClose'> & { line: ColumnLine }) {
  const { t } = useTranslation('columns')
  const words = useWarningWords()
  return (
    <Stack gap="md">
      {warnings.map((warning, index) => (
        <Alert key={index} color="orange" variant="light" py="xs" icon={<IconAlertTriangle size={16} />}>
          {words(warning)}
        </Alert>
      ))}
      {profile ? <ColumnFigures profile={profile} /> : <Text c="dimmed">{t('detail.unknown')}</Text>}
      {column.kind === 'number' && (
        <>
          <Select
            w={220}
            label={t('detail.decimal')}
            disabled={!canChange}
            value={column.decimal ?? '.'}
            data={[
              { value: '.', label: '1,234.5' },
              { value: ',', label: '1.234,5' },
            ]}
            onChange={(decimal) => decimal && onChange(column.name, { decimal })}
          />
          <TagsInput
            label={t('detail.units')}
            description={t('detail.units_help')}
            placeholder="kg"
            maxTags={MAX_SPELLINGS}
            disabled={!canChange}
            value={[...(column.units ?? [])]}
            onChange={(units) => onChange(column.name, { units: units.filter((unit) => SPELLING.test(unit)) })}
          />
        </>
      )}
      {column.kind === 'datetime' && <FormatField column={column} canChange={canChange} onChange={onChange} />}
    </Stack>
  )
}

/** A format of one's own takes effect when the field is left. */
function FormatField({ column, canChange, onChange }: Omit<ColumnDrawerProps, 'line' | 'onClose'> & { column: Column }) {
  const { t } = useTranslation('columns')
  const [format, setFormat] = useState(column.datetime_format ?? '')
  const send = () => {
    if (format.trim() !== (column.datetime_format ?? '')) onChange(column.name, { datetime_format: format.trim() })
  }
  return (
    <TextInput
      w={320}
      maw="100%"
      label={t('detail.format')}
      description={t('detail.format_help')}
      placeholder="%d.%m.%Y %H:%M"
      maxLength={64}
      disabled={!canChange}
      value={format}
      onChange={(event) => setFormat(event.currentTarget.value)}
      onBlur={send}
      onKeyDown={(event) => event.key === 'Enter' && send()}
    />
  )
}

function ColumnFigures({ profile }: { profile: ColumnProfile }) {
  const { t } = useTranslation('columns')
  const { kind, histogram, minimum, maximum, quantiles, top, examples, num_rows, num_missing, num_invalid } = profile
  const span_s = (maximum ?? 0) - (minimum ?? 0)
  const write = (value: number | null | undefined) => (kind === 'datetime' ? formatMoment(value ?? NaN, span_s) : formatAmount(value))
  const counted = (count: number) =>
    t('detail.counted', { count, shown: formatNumber(count), share: formatFraction(num_rows ? count / num_rows : 0) })
  return (
    <>
      {histogram && histogram.counts.length > 0 && (
        <Histogram
          {...histogram}
          label={t('detail.histogram', { name: profile.name })}
          format={write}
          isTime={kind === 'datetime'}
          height_px={240}
        />
      )}
      {top.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={6}>
            {t(kind === 'text' ? 'detail.words' : 'detail.top')}
          </Text>
          <ValueBars values={top.slice(0, 25)} total={num_rows} format={formatNumber} />
        </div>
      )}
      <Facts
        facts={[
          { name: t('detail.rows'), value: formatNumber(num_rows) },
          { name: t('detail.missing'), value: counted(num_missing) },
          { name: t('detail.invalid'), value: counted(num_invalid), help: t('detail.invalid_help') },
          { name: t('detail.distinct'), value: formatNumber(profile.num_distinct) },
          ...(minimum == null
            ? []
            : [
                { name: t('detail.range'), value: t('list.range', { low: write(minimum), high: write(maximum) }) },
                ...(kind === 'number'
                  ? [{ name: t('detail.mean'), value: `${formatAmount(profile.mean)} ± ${formatAmount(profile.std)}` }]
                  : []),
              ]),
          ...(quantiles.length === 5
            ? [{ name: t('detail.quantiles'), value: quantiles.map(write).join('  ·  '), help: t('detail.quantiles_help') }]
            : []),
          ...(profile.target_association == null
            ? []
            : [{ name: t('list.association'), value: profile.target_association.toFixed(2), help: t('list.association_help') }]),
        ]}
      />
      {examples.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={6}>
            {t('detail.examples')}
          </Text>
          <Group gap={6}>
            {examples.map((example) => (
              <Code key={example} style={{ overflowWrap: 'anywhere' }}>
                {example}
              </Code>
            ))}
          </Group>
        </div>
      )}
    </>
  )
}
