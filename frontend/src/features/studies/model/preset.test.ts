import { describe, expect, it } from 'vitest'

import { preset } from './preset'

const families = [
  { name: 'linear_probe', is_frozen: true, yields: 'vector' },
  { name: 'resnet', is_frozen: false, yields: 'vector' },
]

describe('preset', () => {
  it('keeps to frozen backbones where speed is the goal', () => {
    expect(preset('fast', families).families).toEqual(['linear_probe'])
  })

  it('still trains something where no family is frozen', () => {
    expect(preset('fast', families.slice(1))).toEqual({ families: ['resnet'], max_trials: 1 })
    expect(preset('fast', [{ name: 'trees', is_frozen: false, yields: 'rows' }])).toEqual({ families: ['trees'], max_trials: 3 })
  })

  it('searches longer for accuracy, over all families', () => {
    expect(preset('accurate', families).families).toEqual(['linear_probe', 'resnet'])
    expect(preset('accurate', families).max_trials).toBeGreaterThan(preset('balanced', families).max_trials)
  })
})
