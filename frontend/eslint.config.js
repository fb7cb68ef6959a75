import { readdirSync } from 'node:fs'

import js from '@eslint/js'
import hooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import ts from 'typescript-eslint'

const features = readdirSync('src/features')

/** A feature never imports another: what two of them need lives in ui/, lib/ or charts/. */
const walls = features.map((feature) => ({
  files: [`src/features/${feature}/**`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: features
          .filter((other) => other !== feature)
          .map((other) => ({ group: [`**/features/${other}/**`, `../../${other}/**`] })),
      },
    ],
  },
}))

const ABOVE = ['**/features/**', '**/app/**']
/** The canvas is driven by tests without a browser: React and Konva stay in two folders of it. */
const BROWSER_ONLY = ['react', 'react-dom', '@mantine/**', 'konva', 'konva/**']

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/lib/api/schema.d.ts'] },
  js.configs.recommended,
  ts.configs.strict,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    languageOptions: { globals: globals.browser },
    rules: { ...hooks.configs.recommended.rules, '@typescript-eslint/no-non-null-assertion': 'error' },
  },
  {
    files: ['src/{ui,lib,charts}/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: ABOVE }] },
  },
  {
    files: ['src/canvas/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, ...BROWSER_ONLY] }] },
  },
  { files: ['src/canvas/view/**'], rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, 'react', 'react-dom'] }] } },
  { files: ['src/canvas/react/**'], rules: { 'no-restricted-imports': ['error', { patterns: [...ABOVE, 'konva', 'konva/**'] }] } },
  ...walls,
)
