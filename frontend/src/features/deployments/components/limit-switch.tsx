import { NumberInput, Switch } from '@mantine/core'

interface LimitSwitchProps {
  title: string
  isOn: boolean
  /** The number that goes with it; null of what has none. */
  limit: { label: string; least: number; most: number; value: number | null } | null
  onSwitch: (isOn: boolean) => void
  onLimit: (limit: number | null) => void
}

/** Something that can be switched on, with the number from which on it counts. */
export function LimitSwitch({ title, isOn, limit, onSwitch, onLimit }: LimitSwitchProps) {
  return (
    <div>
      <Switch label={title} checked={isOn} onChange={(event) => onSwitch(event.currentTarget.checked)} />
      {limit && isOn && (
        <NumberInput
          size="xs"
          mt={4}
          ml={46}
          maw={320}
          label={limit.label}
          min={limit.least}
          max={limit.most}
          value={limit.value ?? ''}
          onChange={(value) => onLimit(typeof value === 'number' ? value : null)}
        />
      )}
    </div>
  )
}
