import { describe, expect, it } from 'vitest'

import { bestByVersion, modelToUse } from './best-model'

const model = (id: string, version: string, metrics: Record<string, Record<string, number>>, stage = 'none') => ({
  id,
  version,
  metrics,
  stage,
})
const ACCURACY = { name: 'accuracy', is_higher_better: true }
const newest = model('c', 'v2', { test: { accuracy: 0.7 } })
const better = model('b', 'v2', { test: { accuracy: 0.8 } })
const earlier = model('a', 'v1', { test: { accuracy: 0.99 } })

describe('bestByVersion', () => {
  it('compares models of one version alone', () => {
    expect([...bestByVersion([newest, better, earlier], ACCURACY)]).toEqual([['v2', 'b']])
    expect([...bestByVersion([newest, better], { ...ACCURACY, is_higher_better: false })]).toEqual([['v2', 'c']])
  })

  it('of equals names the one that is kept', () => {
    const equal = { ...better, id: 'd', metrics: { test: { accuracy: 0.80004 } } }
    expect(bestByVersion([newest, equal, better], ACCURACY, { inService: new Set(['b']) }).get('v2')).toBe('b')
    expect(bestByVersion([newest, { ...equal, stage: 'production' }, better], ACCURACY, { inService: new Set(['b']) }).get('v2')).toBe('d')
    expect(bestByVersion([newest, equal, better], ACCURACY, { inService: new Set(['c']) }).get('v2')).toBe('d')
    expect(bestByVersion([newest, { ...newest, id: 'd' }], ACCURACY, { inService: new Set(['d']) }).get('v2')).toBe('d')
  })

  it('of those that their intervals do not tell apart names the one that its study ships', () => {
    const near = (id: string, accuracy: number) => ({
      ...model(id, 'v2', { test: { accuracy } }),
      trial: `trial-${id}`,
      intervals: { test: { accuracy: [accuracy - 0.06, accuracy + 0.06] as const } },
    })
    const shipped = new Set(['trial-mean', 'trial-bad'])
    const models = [near('mean', 0.78), near('alone', 0.8), near('bad', 0.6)]
    expect(bestByVersion(models, ACCURACY, { shipped }).get('v2')).toBe('mean')
    expect(bestByVersion(models, ACCURACY).get('v2')).toBe('alone')
    expect(bestByVersion(models, ACCURACY, { shipped, inService: new Set(['alone']) }).get('v2')).toBe('alone')
    expect(modelToUse([near('bad', 0.6), ...models.slice(0, 2)], ACCURACY, { shipped })?.id).toBe('mean')
  })

  it('names none where few items were judged', () => {
    const few = { num_judged: { test: 12 } }
    expect(
      bestByVersion(
        [
          { ...newest, ...few },
          { ...better, ...few },
        ],
        ACCURACY,
      ).size,
    ).toBe(0)
  })

  it('names none where two are equal, where splits differ or where nothing was measured', () => {
    expect(bestByVersion([newest, { ...newest, id: 'd' }], ACCURACY).size).toBe(0)
    expect(bestByVersion([newest, model('d', 'v2', { validation: { accuracy: 0.9 } })], ACCURACY).size).toBe(0)
    expect(bestByVersion([newest, better], { ...ACCURACY, name: 'f1' }).size).toBe(0)
    expect(bestByVersion([newest, better], undefined).size).toBe(0)
  })
})

describe('modelToUse', () => {
  it('is the one in production, then the best one of the newest version, then the newest', () => {
    expect(modelToUse([newest, better, { ...earlier, stage: 'production' }], ACCURACY)?.id).toBe('a')
    expect(modelToUse([newest, better, earlier], ACCURACY)?.id).toBe('b')
    expect(modelToUse([newest, earlier], ACCURACY)?.id).toBe('c')
    expect(modelToUse([newest, earlier], ACCURACY, { inService: new Set([earlier.id]) })?.id).toBe(earlier.id)
    expect(modelToUse([], ACCURACY)).toBeUndefined()
  })
})
