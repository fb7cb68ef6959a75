import { ActionIcon, Autocomplete, Button, Group, NumberInput, Stack, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Section } from '../../../ui/section'
import { type Report, type Shelf, useChangeShelf } from '../api/shelves'
import { planOf } from '../model/report'
import classes from './shelves.module.css'

interface PlanPanelProps {
  shelf: Shelf
  /** Of the photo that is shown. */
  report: Report | undefined
  canChange: boolean
  onChanged: () => void
}

const MOST = 10_000

/** How many packs of each product should stand there. */
export function PlanPanel({ shelf, report, canChange, onChanged }: PlanPanelProps) {
  const { t } = useTranslation('shelves')
  const change = useChangeShelf(shelf.id)
  const save = (plan: Record<string, number>) => change.mutate({ plan }, { onSuccess: onChanged })
  const names = Object.keys(shelf.plan).sort((one, other) => one.localeCompare(other))
  const without = (name: string) => Object.fromEntries(Object.entries(shelf.plan).filter(([other]) => other !== name))
  return (
    <Section title={t('plan.title')} help={t('plan.help')}>
      <Stack gap="xs">
        {names.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('plan.empty')}
          </Text>
        )}
        {names.map((name) => (
          <div key={name} className={classes.row}>
            <Text size="sm" truncate title={name}>
              {name}
            </Text>
            <Amount
              key={shelf.plan[name]}
              name={name}
              value={shelf.plan[name] ?? 1}
              isDisabled={!canChange || change.isPending}
              onValue={(value) => save({ ...shelf.plan, [name]: value })}
            />
            {canChange && (
              <Tooltip label={t('plan.remove', { name })}>
                <ActionIcon variant="subtle" color="gray" aria-label={t('plan.remove', { name })} onClick={() => save(without(name))}>
                  <IconTrash size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </div>
        ))}
        {canChange && (
          <Group gap="xs">
            {report && report.num_packs > report.unknown.count && (
              <Button size="xs" variant="default" loading={change.isPending} onClick={() => save(planOf(report))}>
                {t('plan.take')}
              </Button>
            )}
            <NewName
              names={(report?.products ?? []).map(({ name }) => name).filter((name) => !(name in shelf.plan))}
              onName={(name) => save({ ...shelf.plan, [name]: 1 })}
            />
          </Group>
        )}
      </Stack>
    </Section>
  )
}

interface AmountProps {
  name: string
  value: number
  isDisabled: boolean
  onValue: (value: number) => void
}

/** Saved when it is left. */
function Amount({ name, value, isDisabled, onValue }: AmountProps) {
  const { t } = useTranslation('shelves')
  const [typed, setTyped] = useState<number | string>(value)
  const leave = () => {
    if (typeof typed === 'number' && typed !== value) onValue(typed)
  }
  return (
    <NumberInput
      size="xs"
      aria-label={t('plan.amount', { name })}
      min={1}
      max={MOST}
      allowDecimal={false}
      clampBehavior="strict"
      disabled={isDisabled}
      value={typed}
      onChange={setTyped}
      onBlur={leave}
    />
  )
}

function NewName({ names, onName }: { names: readonly string[]; onName: (name: string) => void }) {
  const { t } = useTranslation('shelves')
  const [name, setName] = useState('')
  const add = () => {
    onName(name.trim())
    setName('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim()) add()
      }}
    >
      <Group gap="xs">
        <Autocomplete
          size="xs"
          flex="1 1 160px"
          maw={320}
          aria-label={t('plan.name')}
          placeholder={t('plan.name')}
          maxLength={256}
          data={[...names]}
          value={name}
          onChange={setName}
        />
        <Button size="xs" variant="default" type="submit" disabled={!name.trim()}>
          {t('plan.add')}
        </Button>
      </Group>
    </form>
  )
}
