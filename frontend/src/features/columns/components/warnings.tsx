import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import type { Column } from '../../../lib/table/columns'
import { Section } from '../../../ui/section'
import type { ColumnWarning } from '../api/types'
import { openWarnings, remedyOf, shownValues } from '../model/profile'
import { useWarningWords } from './use-warning-words'

interface WarningsProps {
  warnings: readonly ColumnWarning[]
  columns: readonly Column[]
  canChange: boolean
  onRole: (column: string, role: Column['role']) => void
  onOpen: (column: string) => void
}

const FIRST = 5
/** They spoil a model; the others are worth knowing. */
const GRAVE = new Set(['leaks_target', 'identifier', 'constant', 'duplicate_column'])

/** What should be looked at, in words, with what one click does about it. */
export function Warnings({ warnings, columns, canChange, onRole, onOpen }: WarningsProps) {
  const { t } = useTranslation('columns')
  const [isWhole, setWhole] = useState(false)
  const open = openWarnings(warnings, columns)
  if (!open.length) return null
  return (
    <Section title={t('warnings.title', { count: open.length })} help={t('warnings.help')}>
      <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {(isWhole ? open : open.slice(0, FIRST)).map((warning, index) => (
          <Warning
            key={`${warning.code} ${warning.column} ${warning.other} ${index}`}
            warning={warning}
            columns={columns}
            canChange={canChange}
            onRole={onRole}
            onOpen={onOpen}
          />
        ))}
      </Stack>
      {open.length > FIRST && (
        <Anchor component="button" size="sm" mt="xs" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('warnings.fewer') : t('warnings.all', { count: open.length })}
        </Anchor>
      )}
    </Section>
  )
}

interface WarningProps extends Omit<WarningsProps, 'warnings'> {
  warning: ColumnWarning
}

function Warning({ warning, columns, canChange, onRole, onOpen }: WarningProps) {
  const { t } = useTranslation('columns')
  const words = useWarningWords()
  const [isWhole, setWhole] = useState(false)
  const remedy = canChange ? remedyOf(warning, columns) : null
  const about = warning.column
  const isFolded = shownValues(warning, true).shown.length > shownValues(warning, false).shown.length
  return (
    <Group component="li" gap="xs" mih={30}>
      {GRAVE.has(warning.code) ? (
        <IconAlertTriangle size={16} color="var(--mantine-color-orange-6)" style={{ flex: 'none' }} />
      ) : (
        <IconInfoCircle size={16} color="var(--mantine-color-dimmed)" style={{ flex: 'none' }} />
      )}
      <Text size="sm" flex="1 1 240px" style={{ overflowWrap: 'anywhere' }}>
        {words(warning, isWhole)}{' '}
        {isFolded && (
          <Anchor component="button" inherit aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {t(isWhole ? 'warnings.fewer_values' : 'warnings.values')}
          </Anchor>
        )}
      </Text>
      {about && columns.some(({ name }) => name === about) && (
        <Anchor component="button" size="sm" style={{ flex: 'none' }} onClick={() => onOpen(about)}>
          {t('warnings.look')}
        </Anchor>
      )}
      {remedy && (
        <Button size="compact-sm" variant="light" flex="none" onClick={() => onRole(remedy.column, remedy.role)}>
          {t(remedy.role === 'ignored' ? 'warnings.ignore' : 'warnings.use')}
        </Button>
      )}
      {canChange && warning.code === 'rare_class' && (
        <Button component={Link} to="../labelling/labels" size="compact-sm" variant="light" flex="none">
          {t('warnings.merge')}
        </Button>
      )}
    </Group>
  )
}
