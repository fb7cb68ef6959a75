import { expect, it } from 'vitest'

import { explainedLabels } from './explained'

const label = (name: string) => ({ kind: 'class', label: name })

it('offers the predicted label first, then what it is, each once', () => {
  expect(explainedLabels({ prediction: [label('dog'), label('emu')], truth: [label('cat')] })).toEqual([{ label: 'dog' }, { label: 'cat' }])
  expect(explainedLabels({ prediction: [label('cat')], truth: [label('cat')] })).toEqual([{ label: 'cat' }])
  expect(explainedLabels({ prediction: [], truth: [] })).toEqual([])
})
