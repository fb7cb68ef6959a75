import { Badge, Button, Group, SegmentedControl, Select, Table, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatFraction } from '../../../charts/format/format'
import { formatNumber } from '../../../lib/format'
import type { Column } from '../../../lib/table/columns'
import { KindIcon } from '../../../ui/kind-icon'
import type { ColumnProfile, ColumnWarning } from '../api/types'
import { type ColumnLine, columnLines, missingShare, type Order, kindSentence } from '../model/profile'
import { ColumnShape } from './column-shape'
import classes from './column-table.module.css'
import { useWarningWords } from './use-warning-words'

interface ColumnTableProps {
  columns: readonly Column[]
  profiles: readonly ColumnProfile[]
  warnings: readonly ColumnWarning[]
  canChange: boolean
  onChange: (column: string, changes: Partial<Column>) => void
  onOpen: (column: string) => void
}

const PAGE = 100
const KINDS = ['number', 'category', 'datetime', 'text'] as const
const ORDERS = ['file', 'association', 'missing'] as const

/** A line a column: what its cells mean, what it is for, what it looks like. */
export function ColumnTable({ columns, profiles, warnings, canChange, onChange, onOpen }: ColumnTableProps) {
  const { t } = useTranslation('columns')
  const [order, setOrder] = useState<Order>('file')
  const [search, setSearch] = useState('')
  const [num, setNum] = useState(PAGE)
  const lines = columnLines(columns, profiles, warnings, order, search)
  const hasTarget = columns.some(({ role }) => role === 'target')
  return (
    <>
      <Group gap="xs" mb="xs">
        <TextInput
          size="xs"
          w={240}
          type="search"
          leftSection={<IconSearch size={14} />}
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <SegmentedControl
          size="xs"
          aria-label={t('list.order')}
          value={order}
          onChange={(value) => setOrder(value as Order)}
          data={ORDERS.filter((value) => value !== 'association' || hasTarget).map((value) => ({ value, label: t(`list.by_${value}`) }))}
        />
      </Group>
      <Table.ScrollContainer minWidth={940}>
        <Table aria-label={t('title')} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('list.name')}</Table.Th>
              <Table.Th w={140} miw={140}>
                {t('list.kind')}
              </Table.Th>
              <Table.Th w={150}>{t('list.role')}</Table.Th>
              <Table.Th w={240}>{t('list.shape')}</Table.Th>
              <Table.Th w={100}>{t('list.missing')}</Table.Th>
              <Table.Th w={90} ta="right">
                {t('list.distinct')}
              </Table.Th>
              {hasTarget && (
                <Table.Th w={100}>
                  <Tooltip label={t('list.association_help')} multiline maw={260}>
                    <span>{t('list.association')}</span>
                  </Tooltip>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {lines.slice(0, num).map((line) => (
              <Line key={line.column.name} line={line} hasTarget={hasTarget} canChange={canChange} onChange={onChange} onOpen={onOpen} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {lines.length === 0 && (
        <Text size="sm" c="dimmed" ta="center" py="md">
          {t('list.none')}
        </Text>
      )}
      {lines.length > num && (
        <Button variant="default" fullWidth mt="xs" onClick={() => setNum(num + PAGE)}>
          {t('list.more', { count: lines.length - num })}
        </Button>
      )}
    </>
  )
}

interface LineProps extends Pick<ColumnTableProps, 'canChange' | 'onChange' | 'onOpen'> {
  line: ColumnLine
  hasTarget: boolean
}

function Line({ line: { column, profile, warnings }, hasTarget, canChange, onChange, onOpen }: LineProps) {
  const { t } = useTranslation('columns')
  const words = useWarningWords()
  const missing = profile ? missingShare(profile) : null
  const { name, kind } = column
  const role = column.role ?? 'feature'
  return (
    <Table.Tr data-role={role} className={classes.line}>
      <Table.Td className={classes.name}>
        <Group gap={6} wrap="nowrap">
          <KindIcon kind={kind} />
          <UnstyledButton className={classes.link} onClick={() => onOpen(name)} title={name}>
            {name}
          </UnstyledButton>
          {kind === 'number' && column.units?.[0] && (
            <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {column.units[0]}
            </Text>
          )}
          {warnings.length > 0 && role !== 'ignored' && (
            <Tooltip label={warnings.map((one) => words(one)).join(' ')} multiline maw={320}>
              <IconAlertTriangle
                size={15}
                color="var(--mantine-color-orange-6)"
                aria-label={warnings.map((one) => words(one)).join(' ')}
                style={{ flex: 'none' }}
              />
            </Tooltip>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        <Select
          size="xs"
          aria-label={t('list.kind_of', { name })}
          disabled={!canChange}
          value={kind}
          data={KINDS.map((value) => ({ value, label: t(`common:kind.${value}`) }))}
          onChange={(value) => value && onChange(name, kindSentence(value, column, profile))}
        />
      </Table.Td>
      <Table.Td>
        {role === 'target' ? (
          <Badge size="lg">{t('role.target')}</Badge>
        ) : (
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={t('list.role_of', { name })}
            disabled={!canChange}
            value={role}
            onChange={(value) => onChange(name, { role: value as Column['role'] })}
            data={[
              { value: 'feature', label: t('role.feature') },
              { value: 'ignored', label: t('role.ignored') },
            ]}
          />
        )}
      </Table.Td>
      <Table.Td>{profile && <ColumnShape profile={profile} />}</Table.Td>
      <Table.Td>
        {missing !== null && (
          <div className={classes.bar}>
            <span>{missing === 0 ? '–' : formatFraction(missing)}</span>
            <span className={classes.track} aria-hidden>
              <span className={classes.lost} style={{ width: `${missing * 100}%` }} />
            </span>
          </div>
        )}
      </Table.Td>
      <Table.Td ta="right" className={classes.number}>
        {profile && formatNumber(profile.num_distinct)}
      </Table.Td>
      {hasTarget && (
        <Table.Td>
          {profile?.target_association != null && (
            <div className={classes.bar}>
              <span>{profile.target_association.toFixed(2)}</span>
              <span className={classes.track} aria-hidden>
                <span className={classes.fill} style={{ width: `${profile.target_association * 100}%` }} />
              </span>
            </div>
          )}
        </Table.Td>
      )}
    </Table.Tr>
  )
}
