import { NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'

import { useLocalText, type LocalText } from '../lib/local-text'

export type ParamValue = string | number | boolean

interface ParamBase {
  name: string
  title: LocalText
  help: LocalText
}

export type ParamSpec =
  | (ParamBase & { kind: 'float' | 'int'; low: number; high: number; is_log?: boolean; default: number })
  | (ParamBase & {
      kind: 'choice'
      choices: readonly ParamValue[]
      choice_titles?: Readonly<Record<string, LocalText>>
      default: ParamValue
    })
  | (ParamBase & { kind: 'text'; pattern: string; default: string })

interface ParamFieldsProps {
  params: readonly ParamSpec[]
  values: Record<string, ParamValue>
  onChange: (values: Record<string, ParamValue>) => void
}

/** A form drawn from the server's description of parameters: families' settings, targets' options. */
export function ParamFields({ params, values, onChange }: ParamFieldsProps) {
  return (
    <Stack gap="sm">
      {params.map((param) => (
        <ParamField
          key={param.name}
          param={param}
          value={values[param.name] ?? param.default}
          onChange={(value) => {
            onChange({ ...values, [param.name]: value })
          }}
        />
      ))}
    </Stack>
  )
}

interface ParamFieldProps {
  param: ParamSpec
  value: ParamValue
  onChange: (value: ParamValue) => void
}

function ParamField({ param, value, onChange }: ParamFieldProps) {
  const text = useLocalText()
  const shared = { label: text(param.title), description: text(param.help), size: 'sm' as const }
  if (param.kind === 'text') {
    const isValid = new RegExp(`^(?:${param.pattern})$`).test(String(value))
    return (
      <TextInput
        {...shared}
        value={String(value)}
        error={!isValid}
        onChange={(event) => {
          onChange(event.currentTarget.value)
        }}
      />
    )
  }
  if (param.kind === 'choice') {
    if (param.choices.every((choice) => typeof choice === 'boolean')) {
      return (
        <Switch
          {...shared}
          checked={value === true}
          onChange={(event) => {
            onChange(event.currentTarget.checked)
          }}
        />
      )
    }
    const titleOf = (choice: ParamValue) => {
      const title = param.choice_titles?.[String(choice)]
      return title ? text(title) : String(choice)
    }
    return (
      <Select
        {...shared}
        allowDeselect={false}
        value={String(value)}
        data={param.choices.map((choice) => ({ value: String(choice), label: titleOf(choice) }))}
        onChange={(chosen) => {
          onChange(param.choices.find((choice) => String(choice) === chosen) ?? param.default)
        }}
      />
    )
  }
  return (
    <NumberInput
      {...shared}
      value={Number(value)}
      min={param.low}
      max={param.high}
      allowDecimal={param.kind === 'float'}
      {...(param.kind === 'float' && param.is_log ? {} : { step: param.kind === 'int' ? 1 : (param.high - param.low) / 20 })}
      onChange={(typed) => {
        if (typeof typed === 'number') onChange(typed)
      }}
    />
  )
}
