import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { helpFor } from './help'

const DOCS = resolve(import.meta.dirname, '../../../docs')
const PARTS = ['data', 'labelling', 'quality', 'map', 'team', 'versions', 'studies', 'models', 'deployments', 'predictions', '']

describe('helpFor', () => {
  it('knows the part of a project', () => {
    expect(helpFor('/projects/prj_1/deployments/dep_1', 'en')).toBe('/docs/guide/deploy.html')
    expect(helpFor('/projects/prj_1/studies/new', 'zh')).toBe('/docs/zh/guide/training.html')
  })

  it('begins at the beginning elsewhere', () => {
    expect(helpFor('/projects', 'en')).toBe('/docs/guide/quick-start.html')
    expect(helpFor('/projects/prj_1', 'en')).toBe('/docs/guide/quick-start.html')
  })

  it('leads to pages that exist, in both languages', () => {
    for (const language of ['en', 'zh']) {
      for (const part of PARTS) {
        const address = helpFor(`/projects/prj_1/${part}`, language)
        const file = address.replace('/docs/', '').replace('.html', '.md')
        expect(existsSync(resolve(DOCS, file)), file).toBe(true)
      }
    }
  })
})
