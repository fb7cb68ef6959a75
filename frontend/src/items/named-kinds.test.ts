/** No place outside their folders names a kind of items or of answers. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '..')
/** The kinds' own folders, the canvas with its shapes, and what is generated. */
const ELSEWHERE = /^(items|answers|canvas)\/|\.test\.tsx?$|schema\.d\.ts$/
const folders = (of: string) =>
  readdirSync(resolve(SRC, of), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const KINDS = [...folders('items'), ...folders('answers')]
/** Tools, fields, kinds of columns and types of JavaScript have these names too: they count where items or answers are spoken of. */
const HOMONYMS = ['boxes', 'mask', 'number', 'row', 'text']
const NAMES = [
  new RegExp(`'(${KINDS.filter((name) => !HOMONYMS.includes(name)).join('|')})'`),
  new RegExp(`\\b(decode\\.kind|modalit(y|ies)|outputs?)\\b.*'(${HOMONYMS.join('|')})'`),
  /'(audio|video|timeseries)'/,
  /\bmodality\s*(===|!==|&&|\?)/,
  /\bis(Table|Text|Row|Picture|Image|Boxes)\b|\bconst isNumber\b/,
  /\b(use)?[pP]redictsNumber\b/,
  /\bnum_(characters|cells)\b/,
  /\.(text|row) (===|!==|!=|==) null|\btext === null/,
  /\bkind\s*(===|!==|:)\s*'(class|box|value)'|case '(class|box|value)'/,
  /'(class_scores|label_scores)'/,
  /\.regression\b/,
]
/** A chart, a tool or a form exports its own name, which a task's `ui` uses. */
const OWN_NAME = /^export default \{ name: '/
const COMMENT = /^\s*(\/\/|\/?\*)/

function places(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  return files
    .filter((name) => /\.tsx?$/.test(name) && !ELSEWHERE.test(name))
    .sort()
    .flatMap((name) =>
      readFileSync(resolve(SRC, name), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          !COMMENT.test(line) && !OWN_NAME.test(line) && NAMES.some((each) => each.test(line))
            ? [`${name}:${index + 1}: ${line.trim()}`]
            : [],
        ),
    )
}

it('names kinds nowhere but in their folders', () => {
  expect(places()).toEqual([])
})
