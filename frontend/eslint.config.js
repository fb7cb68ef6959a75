import { readdirSync } from 'node:fs'

import js from '@eslint/js'
import hooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import ts from 'typescript-eslint'

const features = readdirSync('src/features')
const ABOVE = ['**/features/**', '**/app/**']
const foldersOf = (layer) =>
  readdirSync(`src/${layer}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** Kinds of items and of answers are asked for through their list: nobody else imports from the folder of one. */
const KINDS = ['**/items/*/**', '**/answers/*/**']
/** A kind knows no other kind. */
const kinds = ['items', 'answers'].flatMap((layer) =>
  foldersOf(layer).map((kind) => ({
    files: [`src/${layer}/${kind}/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...ABOVE,
            ...(layer === 'items' ? ['**/answers/**'] : ['**/items/*/**']),
            ...foldersOf(layer)
              .filter((other) => other !== kind)
              .flatMap((other) => [`../${other}/**`, `**/${layer}/${other}/**`]),
          ],
        },
      ],
    },
  })),
)

/** A feature never imports another: what two of them need lives in ui/, lib/ or charts/. */
const walls = features.map((feature) => ({
  files: [`src/features/${feature}/**`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: features
          .filter((other) => other !== feature)
          .map((other) => ({ group: [`**/features/${other}/**`, `../../${other}/**`] }))
          .concat({ group: KINDS }),
      },
    ],
  },
}))

/** The canvas is driven by tests without a browser: React and Konva stay in two folders of it. */
const BROWSER_ONLY = ['react', 'react-dom', '@mantine/**', 'konva', 'konva/**']

export default ts.config(
  { ignores: ['dist', 'docs/dist', 'docs/.vitepress/cache', 'node_modules', 'src/lib/api/schema.d.ts'] },
  js.configs.recommended,
  ts.configs.strict,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    languageOptions: { globals: globals.browser },
    rules: { ...hooks.configs.recommended.rules, '@typescript-eslint/no-non-null-assertion': 'error' },
  },
  { files: ['sdk/**/*.mjs'], languageOptions: { globals: globals.node } },
  {
    files: ['src/{ui,lib,charts}/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, '**/items', '**/answers', '!**/sdk/items'] }] },
  },
  { files: ['src/items/*'], rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, '**/answers/**', './*/**'] }] } },
  { files: ['src/answers/*'], rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, '**/items/*/**', './*/**'] }] } },
  { files: ['src/app/**'], rules: { 'no-restricted-imports': ['error', { patterns: KINDS }] } },
  {
    files: ['src/canvas/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, ...BROWSER_ONLY] }] },
  },
  { files: ['src/canvas/view/**'], rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, 'react', 'react-dom'] }] } },
  { files: ['src/canvas/react/**'], rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, 'konva', 'konva/**'] }] } },
  ...kinds,
  ...walls,
)
