/** A model that is ready to answer; what it reads and what it answers are kinds of their own. */
import { Answering } from './answering'
import type { InferenceSession } from 'onnxruntime-common'

import { type Answer, type AnswerKind, answerKind } from './answers/kind'
import type { BenchReport, Beside, Item, ItemAnswer, LoadOptions, Model, PredictOptions, SelftestReport } from './api'
import { coverageKind } from './coverage/kind'
import { coded, ModelError } from './errors'
import { itemKind, type Piece, type Platform, type Reader } from './items/kind'
import { type GoldenSamples, json, type Manifest, manifestRead } from './manifest'

/** Reads a file of the artefact. */
export type ReadFile = (name: string) => Promise<Uint8Array>

const NUM_RUNS = 20
const ERRORS_ONLY = 3

export async function modelOpen(read: ReadFile, platform: Platform, options: LoadOptions): Promise<OpenModel> {
  const manifestBytes = await read('artefact.json')
  const manifest = manifestRead(manifestBytes)
  const kind = itemKind(manifest.decode.kind)
  const names = ['model.onnx', ...kind.files(manifest.decode)]
  const files = new Map<string, Uint8Array>([['artefact.json', manifestBytes]])
  for (const [place, bytes] of (await Promise.all(names.map(read))).entries()) files.set(names[place] as string, bytes)
  await hashesCheck(read, files)
  const session = await sessionOpen(files.get('model.onnx') as Uint8Array, platform, options)
  const model = new OpenModel(manifest, kind.open(manifest, files, platform), session, platform, read, options)
  await model.warmUp()
  return model
}

/** Compares files with the hashes that were written with the model, where this place can compute them. */
async function hashesCheck(read: ReadFile, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const digest = globalThis.crypto?.subtle
  if (!digest) return // a page without TLS
  const known = json<Record<string, string>>(await read('hashes.json'), 'hashes.json')
  for (const [name, bytes] of files) {
    const hash = new Uint8Array(await digest.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
    const written = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    if (name in known && known[name] !== written)
      throw new ModelError('artefact_damaged', `${name} is not the file that was written with the model`)
  }
}

async function sessionOpen(graph: Uint8Array, { ort, providers }: Platform, { threads = 1 }: LoadOptions): Promise<InferenceSession> {
  try {
    return await ort.InferenceSession.create(graph, {
      executionProviders: providers,
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: ERRORS_ONLY,
    })
  } catch (error) {
    throw coded(error, 'artefact_unreadable', 'model.onnx cannot be opened: ')
  }
}

export class OpenModel extends Answering implements Model {
  readonly reads: string
  readonly output: string
  readonly labels: readonly string[]
  private readonly answers: AnswerKind
  private readonly outputName: string
  private readonly thresholds: Readonly<Record<string, number>>
  private session: InferenceSession | null
  private work: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly manifest: Manifest,
    private readonly reader: Reader,
    session: InferenceSession,
    private readonly platform: Platform,
    private readonly readFile: ReadFile,
    options: LoadOptions,
  ) {
    super()
    this.reads = manifest.decode.kind
    this.output = manifest.output
    this.labels = manifest.label_set.labels.map(({ name }) => name)
    this.answers = answerKind(manifest.output)
    this.outputName = manifest.outputs[0]?.name ?? ''
    this.thresholds = options.thresholds ?? manifest.thresholds
    this.session = session
  }

  /** Runs the graph once, so that the first answer is as fast as the others. */
  async warmUp(): Promise<void> {
    const piece = await this.reader.typical()
    const [answer] = await this.run(piece)
    this.answers.check(answer as Answer, this.labels)
  }

  async answerBatch(items: readonly Item[], options: PredictOptions = {}): Promise<ItemAnswer[]> {
    if (!Array.isArray(items)) throw new ModelError('argument_invalid', 'items are given as an array')
    const encodeOptions = { top: topOf(options, this.answers), threshold: thresholdOf(options), thresholds: this.thresholds }
    const answered: ItemAnswer[] = []
    for await (const piece of this.reader.pieces(items, options)) {
      for (const answer of await this.run(piece)) {
        const annotations = this.answers.encode(answer, this.labels, piece.size, encodeOptions)
        answered.push({ annotations, ...this.beside(answer) })
      }
    }
    return answered
  }

  async selftest(): Promise<SelftestReport> {
    const { samples, labels } = await this.golden()
    const names = labels?.length ? labels : this.labels
    let worst = 0
    for (const expected of samples) {
      const piece = await this.reader.sample(await this.readFile(`samples/${expected.file}`))
      const [answer] = await this.run(piece)
      const apart = this.answers.difference(expected, names, answer as Answer, this.labels)
      if (!(apart <= worst)) worst = apart // also what is no number
    }
    const { tolerance } = this.manifest
    return {
      numSamples: samples.length,
      maxDifference: worst,
      tolerance,
      isPassed: worst <= tolerance,
      environment: this.platform.environment,
    }
  }

  async bench({ numRuns = NUM_RUNS }: { numRuns?: number } = {}): Promise<BenchReport> {
    if (!Number.isInteger(numRuns) || numRuns < 1) throw new ModelError('argument_invalid', 'numRuns is a whole number of at least 1')
    const [sample] = (await this.golden()).samples
    const item = this.reader.item(await this.readFile(`samples/${sample?.file}`))
    const durations: number[] = []
    for (let run = 0; run < numRuns; run++) {
      const beganAt = performance.now()
      await this.predict(item, { invalidCells: 'missing' })
      durations.push(performance.now() - beganAt)
    }
    durations.sort((a, b) => a - b)
    const at = (share: number) => durations[Math.min(numRuns - 1, Math.floor(share * numRuns))] as number
    return { numRuns, medianMs: at(0.5), p90Ms: at(0.9), minMs: at(0), environment: this.platform.environment }
  }

  async close(): Promise<void> {
    const session = this.session
    this.session = null
    await this.work
    await session?.release()
  }

  /** By the model's own thresholds, whatever the caller asked to see. */
  private beside(answer: Answer): Beside {
    const { coverage } = this.manifest
    return coverage ? coverageKind(this.output).beside(answer, this.labels, this.thresholds, coverage) : {}
  }

  private async golden(): Promise<GoldenSamples> {
    const golden = json<GoldenSamples>(await this.readFile('samples/expected.json'), 'samples/expected.json')
    if (!golden.samples?.length) throw new ModelError('artefact_unreadable', 'there are no golden samples')
    return golden
  }

  /** Answers of a piece, one an item; a session runs one piece after the other. */
  private async run({ feeds, count }: Piece): Promise<Answer[]> {
    const ran = this.work.then(async () => {
      if (!this.session) throw new ModelError('model_closed', 'the model was closed')
      const output = (await this.session.run(feeds, [this.outputName]))[this.outputName]
      if (!output) throw new ModelError('artefact_unreadable', `the graph has no output ${this.outputName}`)
      const data = output.data as Float32Array
      const axes = output.dims.slice(1)
      const length = data.length / count
      return Array.from({ length: count }, (_, place) => ({ data: data.subarray(place * length, (place + 1) * length), axes }))
    })
    this.work = ran.catch(() => undefined)
    try {
      return await ran
    } catch (error) {
      throw coded(error, 'internal_error', 'the graph did not run: ')
    }
  }
}

function topOf({ top }: PredictOptions, { defaultTop }: AnswerKind): number {
  if (top === undefined) return defaultTop
  if (!Number.isInteger(top) || top < 1) throw new ModelError('argument_invalid', 'top is a whole number of at least 1')
  return top
}

function thresholdOf({ threshold }: PredictOptions): number | undefined {
  if (threshold === undefined) return undefined
  if (!(threshold >= 0 && threshold <= 1)) throw new ModelError('argument_invalid', 'threshold lies between 0 and 1')
  return threshold
}
