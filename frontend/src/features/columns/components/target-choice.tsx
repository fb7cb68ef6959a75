import { Button, Group, Paper, Select, Text } from '@mantine/core'
import { IconTarget } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { AnswerKind } from '../../../answers/kind'
import type { Columns } from '../../../lib/table/columns'
import { KindIcon } from '../../../ui/kind-icon'
import { targetChoices } from '../model/changes'

interface TargetChoiceProps {
  table: Columns
  /** What may be predicted, and the key of its text. */
  target: NonNullable<AnswerKind['target']>
  isBusy: boolean
  onChoose: (column: string) => void
}

/** The first question about a table. What probably is meant is chosen already. */
export function TargetChoice({ table, target, isBusy, onChoose }: TargetChoiceProps) {
  const { t } = useTranslation('columns')
  const choices = targetChoices(table.columns, target.kinds)
  const [chosen, setChosen] = useState<string | null>(null)
  const suggested = choices.find(({ name }) => name === table.suggested_target)?.name ?? null
  const value = chosen ?? suggested
  return (
    <Paper component="section" mb="md" aria-labelledby="target-question" style={{ borderColor: 'var(--mantine-primary-color-filled)' }}>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <IconTarget size={28} stroke={1.4} color="var(--mantine-primary-color-filled)" style={{ flex: 'none' }} />
        <div style={{ minWidth: 0, flex: 1 }}>
          <Text component="h2" id="target-question" fw={600} size="lg" m={0}>
            {t('target.question')}
          </Text>
          <Text size="sm" c="dimmed" mb="sm">
            {t(target.text)}
          </Text>
          <Select
            label={t('target.label')}
            searchable
            placeholder={t('target.placeholder')}
            description={suggested !== null && value === suggested ? t('target.suggested') : t('target.own')}
            inputWrapperOrder={['label', 'input', 'description']}
            inputContainer={(input) => (
              <Group gap="xs" align="flex-start">
                <div style={{ width: 320, maxWidth: '100%' }}>{input}</div>
                <Button size="sm" disabled={value === null} loading={isBusy} onClick={() => value !== null && onChoose(value)}>
                  {t('target.choose')}
                </Button>
              </Group>
            )}
            value={value}
            data={choices.map(({ name }) => name)}
            nothingFoundMessage={t('target.none')}
            onChange={setChosen}
            renderOption={({ option }) => {
              const kind = choices.find(({ name }) => name === option.value)?.kind
              return (
                <Group gap={8} wrap="nowrap">
                  {kind && <KindIcon kind={kind} />}
                  <Text size="sm" truncate>
                    {option.label}
                  </Text>
                </Group>
              )
            }}
          />
        </div>
      </Group>
    </Paper>
  )
}
