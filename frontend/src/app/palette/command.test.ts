// @vitest-environment jsdom
import { IconBox } from '@tabler/icons-react'
import { expect, it } from 'vitest'

import { type Command, found, sections } from './command'
import { keepRecentPage, recentPages } from './recent'

const command = (label: string, more: Partial<Command> = {}): Command => ({
  id: label,
  section: 'places',
  label,
  icon: IconBox,
  href: `/${label}`,
  run: () => undefined,
  ...more,
})
const labels = (commands: readonly Command[]) => commands.map(({ label }) => label)

it('finds by letters in their order, by what stands beside, and Chinese by initials and sounds', () => {
  const all = [
    command('Customer reviews'),
    command('Model 5 · First', { detail: 'Model · Flowers' }),
    command('部署', { words: ['deployments'] }),
  ]
  expect(labels(found(all, 'cust rev', []))).toEqual(['Customer reviews'])
  expect(labels(found(all, 'flow', []))).toEqual(['Model 5 · First'])
  expect(labels(found(all, 'model flow', []))).toEqual(['Model 5 · First'])
  for (const typed of ['部', 'bs', 'bushu', 'deploy']) expect([typed, labels(found(all, typed, []))[0]]).toEqual([typed, '部署'])
  expect(found(all, 'qqq', [])).toEqual([])
})

it('puts what was opened lately before what fits as well, not before what fits better', () => {
  const all = [command('Flowers 1'), command('Flowers 2'), command('Far lower')]
  expect(labels(found(all, 'flowers', ['/Flowers 2', '/Far lower']))).toEqual(['Flowers 2', 'Flowers 1', 'Far lower'].slice(0, 2))
  expect(labels(found(all, 'flower', ['/Far lower'])).at(-1)).toBe('Far lower')
})

it('shows what was opened lately apart, without the page at hand', () => {
  const all = [
    command('a', { section: 'project' }),
    command('b', { section: 'workspace' }),
    command('c', { section: 'page', href: undefined }),
  ]
  const shown = sections(all, ['/a', '/gone', '/b'], '/a').map(([section, own]) => [section, labels(own)])
  expect(shown).toEqual([
    ['page', ['c']],
    ['recent', ['b']],
    ['project', ['a']],
  ])
})

it('keeps the pages that were opened last, each once, whatever else is stored', () => {
  localStorage.clear()
  for (const address of ['/a', '/b', '/a']) keepRecentPage(address)
  expect(recentPages()).toEqual(['/a', '/b'])
  localStorage.setItem('modelyard.recent-pages', '{broken')
  expect(recentPages()).toEqual([])
})
