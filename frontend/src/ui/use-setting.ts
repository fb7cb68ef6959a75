import { useTranslation } from 'react-i18next'

import { formatNumber } from '../charts/format/format'
import { useLocalText } from '../lib/local-text'
import { useParamName, useTask } from '../lib/project/task'

type Value = string | number | boolean

/** A setting of a model as people read it: the parameter's name and its value, in the words of the model's family. */
export function useSetting(): (family: string, name: string, value: Value) => [name: string, value: string] {
  const { t } = useTranslation('charts')
  const text = useLocalText()
  const paramName = useParamName()
  const families = useTask().data?.families ?? []
  const plain = (value: Value) => {
    if (typeof value === 'boolean') return t(value ? 'param.yes' : 'param.no')
    return typeof value === 'number' ? formatNumber(value) : value
  }
  return (familyName, name, value) => {
    const param = families.find((family) => family.name === familyName)?.params.find((each) => each.name === name)
    const title = param?.kind === 'choice' ? param.choice_titles?.[String(value)] : undefined
    return [paramName(name, familyName), title ? text(title) : plain(value)]
  }
}
