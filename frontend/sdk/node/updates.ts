/**
 * Gives the installed package another model: checked before the switch, and the one before is kept.
 *
 *     model/                  the model that came with the package
 *     models/current.json     which model answers; not there: the one that came with the package
 *     models/<sha256>/        the model of an update
 *
 * `current.json` is replaced in one step, after the new model has been written to disk and has answered its golden samples. So a
 * program that is killed at any moment comes back with one of the two models, whole.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { unzipSync } from 'fflate'

import type { SelftestReport } from '../api'
import { coded, ModelError, reasonOf } from '../errors'
import { json, type Manifest, type RowDecode } from '../manifest'
import type { Installed } from './api'

const KNOWN_FORMAT = 1
const LARGEST_BYTES = 2 ** 33
const CURRENT = 'current.json'
const PARTIAL = '.partial'

interface State {
  /** Below `models`; null: the model that came with the package. */
  folder: string | null
  /** Not there where there is nothing to go back to. */
  previous?: string | null
}

export class InstalledModels {
  private readonly models: string

  /**
   * @param home the package's folder.
   * @param selftest loads the model of a folder and replays its golden samples.
   */
  constructor(
    private readonly home: string,
    private readonly selftest: (folder: string) => Promise<SelftestReport>,
  ) {
    this.models = join(home, 'models')
  }

  /** Which model answers now. */
  async current(): Promise<Installed> {
    const state = await this.state()
    const canRollBack = state.previous !== undefined
    if (state.folder === null) return { model: '', folder: join(this.home, 'model'), canRollBack }
    const place = join(this.models, state.folder)
    return { model: await modelOf(place), folder: join(place, 'artefact'), canRollBack }
  }

  /** See `update` in `api.d.ts`. */
  async install(file: string, allowOtherLabels: boolean): Promise<Installed> {
    return written(async () => {
      const packed = await readFile(file)
      const name = sha256(packed)
      const before = await this.current()
      await mkdir(this.models, { recursive: true })
      for (const left of await readdir(this.models)) if (left.endsWith(PARTIAL)) await this.remove(left)
      const partial = join(this.models, name + PARTIAL)
      try {
        await unpack(packed, partial)
        await fits(before.folder, join(partial, 'artefact'), allowOtherLabels)
        await this.check(join(partial, 'artefact'))
        if (!(await isFolder(join(this.models, name)))) await rename(partial, join(this.models, name))
      } finally {
        await this.remove(name + PARTIAL)
      }
      const { folder } = await this.state()
      if (folder !== name) await this.change({ folder: name, previous: folder })
      return this.current()
    })
  }

  /** See `rollBack` in `api.d.ts`. */
  async rollBack(): Promise<Installed> {
    const { previous } = await this.state()
    if (previous === undefined) throw new ModelError('update_none_before', 'no model was there before')
    return written(async () => {
      await this.change({ folder: previous })
      return this.current()
    })
  }

  private async check(folder: string): Promise<void> {
    const report = await this.selftest(folder).catch((error: unknown) => {
      throw new ModelError('update_selftest_failed', reasonOf(error))
    })
    if (!report.isPassed) throw new ModelError('update_selftest_failed', JSON.stringify(report))
  }

  private async state(): Promise<State> {
    try {
      const state = JSON.parse(await readFile(join(this.models, CURRENT), 'utf8')) as State
      return state.folder === null || (await isFolder(join(this.models, state.folder))) ? state : { folder: null }
    } catch {
      return { folder: null }
    }
  }

  private async change(state: State): Promise<void> {
    await write(join(this.models, CURRENT + PARTIAL), JSON.stringify(state))
    await rename(join(this.models, CURRENT + PARTIAL), join(this.models, CURRENT))
    for (const each of await readdir(this.models)) if (![CURRENT, state.folder, state.previous].includes(each)) await this.remove(each)
  }

  private async remove(name: string): Promise<void> {
    await rm(join(this.models, name), { recursive: true, force: true })
  }
}

/** What cannot be written has a code of its own. */
async function written<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw coded(error, 'update_not_writable')
  }
}

async function unpack(packed: Uint8Array, place: string): Promise<void> {
  let left = LARGEST_BYTES
  let files: Record<string, Uint8Array>
  try {
    files = unzipSync(packed, {
      filter: ({ name, originalSize }) => {
        if (name.startsWith('/') || /[\\:]/.test(name) || name.split('/').includes('..'))
          throw new Error(`a file in it has the name ${name}`)
        left -= originalSize
        if (left < 0) throw new Error('it is too large')
        return !name.endsWith('/')
      },
    })
  } catch (error) {
    throw new ModelError('update_invalid', `it cannot be unpacked: ${reasonOf(error)}`)
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(place, name)), { recursive: true })
    await write(join(place, name), content)
  }
  await modelOf(place)
}

/** By which the platform names an update's model; looks whether this package understands the update. */
async function modelOf(place: string): Promise<string> {
  const { format, model } = await described<{ format?: unknown; model?: unknown }>(join(place, 'update.json'))
  if (typeof format !== 'number' || typeof model !== 'string') throw new ModelError('update_invalid', 'update.json cannot be read')
  if (format > KNOWN_FORMAT)
    throw new ModelError('update_too_new', `the update has format ${format}, this package understands ${KNOWN_FORMAT}`)
  return model
}

/** Refuses a model that reads or answers something else, or whose files are not those that were written. */
async function fits(before: string, after: string, allowOtherLabels: boolean): Promise<void> {
  const hashes = await described<Record<string, string>>(join(after, 'hashes.json'))
  for (const [name, hash] of Object.entries(hashes)) {
    const content = await readFile(join(after, name)).catch(() => null)
    if (!content) throw new ModelError('update_invalid', `${name} is missing`)
    if (sha256(content) !== hash) throw new ModelError('artefact_damaged', `${name} is not the file that was written with the model`)
  }
  const [old, next] = [await described<Manifest>(join(before, 'artefact.json')), await described<Manifest>(join(after, 'artefact.json'))]
  let kinds: string[]
  let labels: Set<string>[]
  try {
    kinds = [old, next].map(kindOf)
    labels = [old, next].map((each) => new Set(each.label_set.labels.map(({ name }) => name)))
  } catch (error) {
    throw new ModelError('update_invalid', `artefact.json cannot be read: ${reasonOf(error)}`)
  }
  if (next.schema_version > old.schema_version)
    throw new ModelError('update_too_new', `the model has format ${next.schema_version}, this package understands ${old.schema_version}`)
  if (kinds[0] !== kinds[1])
    throw new ModelError('update_other_task', `installed is a model for ${kinds[0]}, the update is for ${kinds[1]}`)
  const [had, has] = labels as [Set<string>, Set<string>]
  const [gone, come] = [[...had].filter((each) => !has.has(each)), [...has].filter((each) => !had.has(each))]
  if ((gone.length || come.length) && !allowOtherLabels)
    throw new ModelError('update_other_labels', `gone: ${gone.join(', ') || 'none'}; new: ${come.join(', ') || 'none'}`)
}

/** What a program that calls the model depends on: task, kind of items, of rows also their columns, kind of answers. */
function kindOf({ task, output, decode }: Manifest): string {
  const columns = (decode as Partial<RowDecode>).columns ?? []
  return [task, decode.kind, output, ...columns.map(({ name }) => name)].join(', ')
}

async function described<T>(file: string): Promise<T> {
  try {
    return json<T>(await readFile(file), file)
  } catch (error) {
    throw new ModelError('update_invalid', reasonOf(error))
  }
}

/** Writes a file, and waits until the disk has it. */
async function write(file: string, content: Uint8Array | string): Promise<void> {
  const opened = await open(file, 'w')
  try {
    await opened.writeFile(content)
    await opened.sync()
  } finally {
    await opened.close()
  }
}

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const isFolder = async (place: string) => (await stat(place).catch(() => null))?.isDirectory() ?? false
