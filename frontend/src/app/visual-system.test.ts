// The tables of docs/visual-system.md against what the app takes.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { expect, it } from 'vitest'

import { seriesColor } from '../charts/palette/palette'
import { SCENES } from '../ui/drawing/scenes'
import { cssVariables, theme } from './theme'

const ROOT = resolve(import.meta.dirname, '../../..')
const page = readFileSync(resolve(ROOT, 'docs/visual-system.md'), 'utf8')
const roles = readFileSync(resolve(ROOT, 'frontend/src/ui/drawing/drawing.module.css'), 'utf8')

/** Rows of the table with this heading's first cell; cells without their backticks. */
function table(first: string): string[][] {
  const [, rows = ''] = page.split(new RegExp(`\\| ${first} \\|.*\\n\\|[ -|]+\\n`))
  return rows
    .slice(0, rows.search(/\n(?!\|)/))
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
}

it('names the sizes of text and space of the theme', () => {
  const { fontSizes, spacing, headings } = theme
  const named = Object.fromEntries(
    [...page.matchAll(/^\| `((?:fontSizes|spacing|headings)\.\w+)` \| (\w+) \|/gm)].map(([, key, value]) => [key, value]),
  )
  expect(named).toEqual({
    ...Object.fromEntries(Object.entries(fontSizes ?? {}).map(([key, value]) => [`fontSizes.${key}`, value])),
    ...Object.fromEntries(Object.entries(headings?.sizes ?? {}).map(([key, { fontSize } = {}]) => [`headings.${key}`, fontSize])),
    ...Object.fromEntries(Object.entries(spacing ?? {}).map(([key, value]) => [`spacing.${key}`, value])),
  })
})

it('names the colours of the theme and of charts', () => {
  const role = (name: string) => page.match(new RegExp(`\\| \`${name}\` \\| \`(#\\w+)\` \\| \`(#\\w+)\``))?.slice(1)
  const accent = theme.colors?.accent ?? []
  expect(role('accent')).toEqual([accent[6], accent[5]])
  const { light, dark } = cssVariables(theme as never)
  expect(role('dimmed')).toEqual([light['--mantine-color-dimmed'], dark['--mantine-color-dimmed']])
  expect(table('series')).toEqual(
    Array.from({ length: 10 }, (_, index) => [`${index + 1}`, seriesColor(index, 'light'), seriesColor(index, 'dark')]),
  )
})

it('names every scene and every colour of drawings', () => {
  expect(
    table('scene')
      .map(([scene]) => scene)
      .sort(),
  ).toEqual(Object.keys(SCENES).sort())
  const given = [...(roles.match(/\.roles \{[^}]+/)?.[0] ?? '').matchAll(/^ {2}(--\w+):/gm)].map(([, name]) => name)
  const listed = [...page.matchAll(/^\| `(--\w+)` \|/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual(given.sort())
})
