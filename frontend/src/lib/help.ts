/** Pages of the documentation by the part of the app that a person is in: `/projects/ID/PART` or `/PART`. */
const PAGES: Record<string, string> = {
  data: 'guide/quick-start',
  labelling: 'guide/labelling',
  quality: 'guide/quality',
  map: 'guide/quality',
  team: 'guide/team',
  versions: 'guide/concepts',
  studies: 'guide/training',
  models: 'guide/reports',
  deployments: 'guide/deploy',
  predictions: 'guide/batch',
  settings: 'guide/team',
}

/** The address of a page of the documentation in a language. */
export const docsAddress = (page: string, language: string) => `/docs/${language.startsWith('zh') ? 'zh/' : ''}${page}.html`

/** The address of the documentation that fits a page of the app. */
export function helpFor(path: string, language: string): string {
  const [first = '', , part = ''] = path.split('/').filter(Boolean)
  const page = PAGES[first === 'projects' ? part : first] ?? 'guide/quick-start'
  return docsAddress(page, language)
}
