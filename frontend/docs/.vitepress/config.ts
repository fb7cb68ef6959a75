/** The documentation at /docs: the Markdown files of docs/ in English and Chinese, with a search that works offline. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { defineConfig, type DefaultTheme, type MarkdownRenderer } from 'vitepress'

import { gzip } from '../../gzip'
import { groups } from '../reference'
import { tokenize } from '../tokenize'
import words from './words.json'

const SOURCES = resolve(import.meta.dirname, '../../../docs')
const CHINESE = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u
const PACKAGES = resolve(import.meta.dirname, '../../node_modules')
const BUILT = resolve(import.meta.dirname, '../dist')

type Words = (typeof words)['en']

/** Pages of the side bar, by group; a page is named as its file is, in both languages. */
const GUIDE = {
  start: ['why', 'quick-start', 'concepts'],
  tutorials: ['pictures', 'boxes', 'masks', 'instances', 'anomalies', 'lines', 'invoices', 'similarity', 'shelves', 'texts', 'tables'],
  tasks: ['labelling', 'quality', 'training', 'reports', 'deploy', 'batch', 'exports', 'devices', 'team'],
} as const
/** Pages of the reference that are written by hand; the first are in Chinese too. */
const TRANSLATED = ['prediction-api', 'operations', 'support'] as const
const ENGLISH = ['client', 'formats', 'glossary', 'visual-system'] as const

function themeOf(texts: Words, folder: string): DefaultTheme.Config {
  const pages: Record<string, string> = texts.pages
  const guide = (group: keyof typeof GUIDE) => ({
    text: texts.groups[group],
    items: GUIDE[group].map((page) => ({ text: pages[page] ?? page, link: `${folder}/guide/${page}` })),
  })
  const page = (name: string, link: string) => ({ text: pages[name] ?? name, link })
  const reference = {
    text: texts.groups.reference,
    items: [
      {
        text: pages['platform-api'],
        collapsed: true,
        items: groups().map((group) => ({ text: group, link: `/reference/${group}` })),
      },
      page('prediction-calls', '/reference/prediction-calls'),
      ...TRANSLATED.map((name) => page(name, `${folder}/${name}`)),
      ...ENGLISH.map((name) => page(name, `/${name}`)),
    ],
  }
  return {
    nav: [
      { text: texts.nav.guide, link: `${folder}/guide/quick-start`, activeMatch: `^${folder}/guide/` },
      { text: texts.nav.reference, link: '/reference/projects' },
      { text: texts.nav.app, link: '/../', target: '_self' },
    ],
    sidebar: [guide('start'), guide('tutorials'), guide('tasks'), reference],
    outline: { level: [2, 3], label: texts.outline },
    docFooter: { prev: texts.previous, next: texts.next },
    darkModeSwitchLabel: texts.appearance,
    lightModeSwitchTitle: texts.light,
    darkModeSwitchTitle: texts.dark,
    sidebarMenuLabel: texts.menu,
    returnToTopLabel: texts.top,
    langMenuLabel: texts.language,
    skipToContentLabel: texts.skip,
    notFound: texts.notFound,
  }
}

/** A line break between two Chinese characters is no space. */
function joinChineseLines(md: MarkdownRenderer): void {
  md.renderer.rules.softbreak = (tokens, index) => {
    const before = tokens[index - 1]?.content.at(-1) ?? ''
    const after = tokens[index + 1]?.content.at(0) ?? ''
    return CHINESE.test(before) && CHINESE.test(after) ? '' : '\n'
  }
}

/** The platform's content security policy allows scripts from files only: those inside pages become files. */
function scriptsToFiles(html: string): string {
  return html.replace(/<script( id="[^"]*")?>([^<]+)<\/script>/g, (_, id: string | undefined, body: string) => {
    const name = `inline-${createHash('sha256').update(body).digest('hex').slice(0, 12)}.js`
    mkdirSync(join(BUILT, 'assets'), { recursive: true })
    writeFileSync(join(BUILT, 'assets', name), body)
    return `<script${id ?? ''} src="/docs/assets/${name}"></script>`
  })
}

/** The tokenizer is left out of what is written into pages, where reading it would need eval; theme/index.ts sets it again. */
const searchOptions: DefaultTheme.LocalSearchOptions = Object.defineProperty(
  { locales: { zh: { translations: words.zh.search } } },
  'miniSearch',
  { enumerable: false, value: { options: { tokenize } } },
)

export default defineConfig({
  title: 'Modelyard',
  base: '/docs/',
  srcDir: SOURCES,
  outDir: BUILT,
  srcExclude: ['architecture.md', 'experiments.md', 'decisions/**'],
  rewrites: {
    'operations.zh-CN.md': 'zh/operations.md',
    'prediction-api.zh-CN.md': 'zh/prediction-api.md',
    'support.zh-CN.md': 'zh/support.md',
  },
  head: [['link', { rel: 'icon', href: '/favicon.svg' }]],
  lastUpdated: false,
  ignoreDeadLinks: [/^https?:\/\/localhost/, /\/\.\.\//, /^\/api\//],
  transformHtml: scriptsToFiles,
  buildEnd: () => gzip(BUILT),
  // The pages lie outside this package, where nobody would find its dependencies.
  vite: {
    resolve: {
      alias: ['vue/server-renderer', 'vue'].map((name) => ({
        find: new RegExp(`^${name}$`),
        replacement: resolve(PACKAGES, name, name === 'vue' ? 'dist/vue.runtime.esm-bundler.js' : 'index.mjs'),
      })),
    },
  },
  markdown: { html: false, config: joinChineseLines },
  locales: {
    root: { label: 'English', lang: 'en', description: words.en.description, themeConfig: themeOf(words.en, '') },
    zh: { label: '简体中文', lang: 'zh-CN', description: words.zh.description, themeConfig: themeOf(words.zh, '/zh') },
  },
  themeConfig: {
    logo: '/../favicon.svg',
    externalLinkIcon: true,
    search: {
      provider: 'local',
      options: searchOptions,
    },
  },
})
