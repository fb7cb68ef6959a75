/** `node dist/cli.js FILE...` answers files; `--selftest` and `--bench` say how the model does here. */
import { readFile } from 'node:fs/promises'

import type { Item, Model } from '../api'
import type { Installed } from './api'
import { load, ModelError, rollBack, update } from './index.js'

const USAGE = 'usage: node dist/cli.js [--selftest | --bench | FILE... | update (FILE.zip [--allow-other-labels] | --rollback)]'

/** What a file holds, as the model reads it: texts and rows (JSON, one or a list) are in UTF-8. */
async function itemsOf(path: string, model: Model): Promise<Item[]> {
  if (model.reads === 'image') return [path]
  const text = await readFile(path, 'utf8')
  if (model.reads === 'text') return [text]
  const rows: unknown = JSON.parse(text)
  return (Array.isArray(rows) ? rows : [rows]) as Item[]
}

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

/** Gives the package another model, or the one before. */
async function change(words: string[]): Promise<Installed> {
  const files = words.filter((word) => !word.startsWith('--'))
  if (words.length === 1 && words[0] === '--rollback') return rollBack()
  if (files.length !== 1 || words.some((word) => word.startsWith('--') && word !== '--allow-other-labels'))
    throw new ModelError('argument_invalid', USAGE)
  return update(files[0] as string, { allowOtherLabels: words.includes('--allow-other-labels') })
}

async function main(words: string[]): Promise<number> {
  if (!words.length || words.includes('--help')) {
    process.stdout.write(`${USAGE}\n`)
    return words.length ? 0 : 2
  }
  if (words[0] === 'update') {
    const { model, folder, canRollBack } = await change(words.slice(1))
    print({ model, artefact_dir: folder, can_roll_back: canRollBack })
    return 0
  }
  const model = await load()
  try {
    if (words[0] === '--selftest') {
      const shown = await model.selftest()
      print(shown)
      return shown.isPassed ? 0 : 1
    }
    if (words[0] === '--bench') print(await model.bench())
    else for (const path of words) print({ file: path, predictions: await model.predictBatch(await itemsOf(path, model)) })
    return 0
  } finally {
    await model.close()
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const code = error instanceof ModelError ? error.code : 'internal_error'
  print({ code, detail: error instanceof Error ? error.message : String(error), ...(error instanceof ModelError ? error.facts : {}) })
  process.exitCode = 2
}
