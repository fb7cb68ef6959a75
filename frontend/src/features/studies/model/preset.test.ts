import { describe, expect, it } from 'vitest'

import { preset } from './preset'

const families = [
  { name: 'linear_probe', is_frozen: true },
  { name: 'resnet', is_frozen: false },
]

describe('preset', () => {
  it('keeps to frozen backbones where speed is the goal', () => {
    expect(preset('fast', families).families).toEqual(['linear_probe'])
  })

  it('still trains something where no family is frozen', () => {
    expect(preset('fast', families.slice(1)).families).toEqual(['resnet'])
  })

  it('searches longer for accuracy, over all families', () => {
    expect(preset('accurate', families).families).toEqual(['linear_probe', 'resnet'])
    expect(preset('accurate', families).max_trials).toBeGreaterThan(preset('balanced', families).max_trials)
  })
})
