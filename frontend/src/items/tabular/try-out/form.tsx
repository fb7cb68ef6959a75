import { Button, Group, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowsShuffle, IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { Answer } from '../../../lib/api/answer'
import { ErrorState } from '../../../ui/error-state'
import { LoadingState } from '../../../ui/loading-state'
import { Section } from '../../../ui/section'
import type { TryOutAnswers, TryOutForm, TryOutFormProps } from '../../try-out'
import { useRowForm } from './api'
import { RowAnswer } from './row-answer'
import { RowField } from './row-field'
import { type Cells, cellsOf, changedColumns, isUnreadable, sentRow } from './row-form'
import classes from './row-form.module.css'

const WAITS_MS = 300
/** From so many columns on they can be searched. */
const MANY = 16

/** A row that can be changed cell by cell, and its prediction at once. */
function Form({ deployment, answers }: TryOutFormProps) {
  const { t } = useTranslation('deployments')
  const form = useRowForm(deployment.id)
  const isRunning = deployment.state === 'running'
  return (
    <Section title={t('try.row.title')} help={isRunning ? t('try.row.help') : t('try.not_running')}>
      {form.isPending && <LoadingState rows={6} height={40} />}
      {form.isLoadingError && <ErrorState error={form.error} onRetry={() => void form.refetch()} />}
      {form.data && (
        <WhatIf key={deployment.artefact} deployment={deployment.id} form={form.data} isRunning={isRunning} answers={answers} />
      )}
    </Section>
  )
}

interface WhatIfProps {
  deployment: string
  form: Answer<'RowFormOut'>
  isRunning: boolean
  answers: TryOutAnswers
}

function WhatIf({ deployment, form, isRunning, answers }: WhatIfProps) {
  const { t } = useTranslation('deployments')
  const { fields, examples } = form
  const [turn, setTurn] = useState(0)
  const original = useMemo(() => cellsOf(fields, examples[turn % Math.max(1, examples.length)]), [fields, examples, turn])
  const [cells, setCells] = useState<Cells>(original)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(cells, WAITS_MS)
  const row = useMemo(() => sentRow(settled), [settled])
  const changed = changedColumns(cells, original)
  const isReadable = fields.every((field) => !isUnreadable(field, settled[field.name] ?? ''))
  const another = () => {
    setTurn(turn + 1)
    setCells(cellsOf(fields, examples[(turn + 1) % Math.max(1, examples.length)]))
  }
  const shown = fields.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <div className={classes.root}>
      <div>
        <Group gap="xs" mb="sm">
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={15} />}
            disabled={changed.length === 0}
            onClick={() => setCells(original)}
          >
            {t('try.row.original')}
          </Button>
          {examples.length > 1 && (
            <Button variant="default" leftSection={<IconArrowsShuffle size={15} />} onClick={another}>
              {t('try.row.another')}
            </Button>
          )}
          {fields.length >= MANY && (
            <TextInput
              size="xs"
              w={180}
              type="search"
              leftSection={<IconSearch size={14} />}
              aria-label={t('try.row.search')}
              placeholder={t('try.row.search')}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
        </Group>
        <div className={classes.fields} role="group" aria-label={t('try.row.title')}>
          {shown.map((field) => (
            <RowField
              key={field.name}
              field={field}
              cell={cells[field.name] ?? ''}
              examples={examples.slice(0, 5).map((example) => example[field.name] ?? '')}
              isChanged={changed.includes(field.name)}
              isDisabled={!isRunning}
              onChange={(cell) => setCells((before) => ({ ...before, [field.name]: cell }))}
            />
          ))}
        </div>
      </div>
      <RowAnswer
        deployment={deployment}
        target={form.target}
        labels={form.labels}
        row={isRunning && isReadable ? row : null}
        isBehind={settled !== cells}
        answers={answers}
      />
    </div>
  )
}

// Many columns beside their answer need the whole width.
export default { name: 'row', Form, isWide: true } satisfies TryOutForm
