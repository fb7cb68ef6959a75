import { expect, it } from 'vitest'

import { ExampleFailedError, type ExampleServer, runExample, wholeFraction } from './run'

/** A server on which each wait takes two looks. */
function server(over: Partial<ExampleServer> = {}) {
  const calls: string[] = []
  let looks = 0
  const slow = <Value>(early: Value, late: Value) => (++looks % 2 ? early : late)
  const all: ExampleServer = {
    data: async () => 'job_1',
    job: async () => ({ error: null, ...slow({ state: 'running', progress_fraction: 0.4 }, { state: 'succeeded', progress_fraction: 1 }) }),
    version: async () => 'dsv_1',
    study: async () => 'stu_1',
    studied: async () => ({
      fraction: 0.5,
      error: null,
      ...slow({ isOver: false, artefact: null }, { isOver: true, artefact: 'art_1' }),
    }),
    deployed: async () => slow(false, true),
    ...over,
  }
  const recorded = (name: keyof ExampleServer) => (argument: string) => {
    calls.push(argument ? `${name} ${argument}` : name)
    return (all[name] as (argument: string) => Promise<never>)(argument)
  }
  const names = Object.keys(all) as (keyof ExampleServer)[]
  return { calls, server: Object.fromEntries(names.map((name) => [name, recorded(name)])) as unknown as ExampleServer }
}
const run = async (fake: ReturnType<typeof server>, isWhole = true) => {
  const steps: string[] = []
  await runExample(
    fake.server,
    isWhole,
    ({ step, fraction }) => steps.push(`${step} ${fraction}`),
    async () => undefined,
  )
  return steps
}

it('goes from the data to a model that answers, and reports how far it is', async () => {
  const fake = server()
  expect(await run(fake)).toEqual(['data 0', 'data 0.4', 'version null', 'train 0', 'train 0.5', 'deploy null'])
  expect(fake.calls).toContain('study dsv_1')
  expect(fake.calls.at(-1)).toBe('deployed art_1')
})

it('ends with the data where a model would take long', async () => {
  const fake = server()
  await run(fake, false)
  expect(fake.calls.every((one) => one === 'data' || one.startsWith('job'))).toBe(true)
})

it('waits for nothing that is there already', async () => {
  const fake = server({ data: async () => null })
  await run(fake)
  expect(fake.calls).not.toContain('job job_1')
})

it.each([
  ['the data', { job: async () => ({ state: 'failed', progress_fraction: 0, error: { code: 'examples_unreachable' } }) }],
  ['the training', { studied: async () => ({ fraction: 1, isOver: true, artefact: null, error: { code: 'examples_unreachable' } }) }],
])('says why where %s failed', async (_, over) => {
  await expect(run(server(over))).rejects.toSatisfy(
    (error) => error instanceof ExampleFailedError && (error.failure as { code: string }).code === 'examples_unreachable',
  )
})

it('knows how far the whole of a run is, never going back', () => {
  const steps = [
    { step: 'data', fraction: 0 },
    { step: 'data', fraction: 1 },
    { step: 'version', fraction: null },
    { step: 'train', fraction: 0.5 },
    { step: 'train', fraction: 1 },
    { step: 'deploy', fraction: null },
  ] as const
  const fractions = steps.map(wholeFraction)
  expect(fractions).toEqual([...fractions].sort((one, other) => one - other))
  expect([fractions[0], fractions.at(-1)]).toEqual([0, 0.9])
})
