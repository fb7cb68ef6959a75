/** What a browser calls itself, in a word or two that people know it by. */
const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

const named = (agent: string, known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(agent))?.[1]

/** Such as `Firefox · Windows`; of a program its own name, empty where it gave none. */
export function deviceOf(agent: string): string {
  const words = [named(agent, BROWSERS), named(agent, SYSTEMS)].filter(Boolean)
  return words.length > 0 ? words.join(' · ') : (agent.split(' ')[0] ?? '')
}
