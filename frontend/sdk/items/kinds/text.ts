/** Texts: the ids that the artefact's tokenizer makes of them. */
import { Tokenizer } from '@huggingface/tokenizers'

import type { Item } from '../../api'
import { coded, ModelError, reasonOf } from '../../errors'
import { json, type TextDecode } from '../../manifest'
import { type ItemKind, oneByOne, type Piece } from '../kind'
import { stripped } from '../whitespace'

interface Definition {
  truncation?: { max_length: number } | null
  post_processor?: unknown
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ModelError('text_unreadable', `the text is not UTF-8: ${reasonOf(error)}`)
  }
}

function textOf(item: Item): string {
  if (item instanceof Uint8Array) return decoded(item)
  if (item instanceof ArrayBuffer) return decoded(new Uint8Array(item))
  if (typeof item === 'string') return item.replace(/^\ufeff/, '') // as a file may begin with
  throw new ModelError('item_invalid', 'this model reads a text: give a string')
}

/** Texts to ids. */
function encoder(bytes: Uint8Array, name: string, padId: number): (text: string) => number[] {
  try {
    const definition = json<Definition>(bytes, name)
    const tokenizer = new Tokenizer(definition, {})
    const longest = definition.truncation?.max_length ?? Infinity
    const closing = definition.post_processor ? 1 : 0 // tokens that end every text, also one that is cut off
    return (text) => {
      const { ids } = tokenizer.encode(text)
      if (ids.length > longest) ids.splice(longest - closing, ids.length - longest) // the library cuts nothing off
      if (!ids.every(Number.isInteger)) throw new ModelError('artefact_unreadable', `${name} is of a kind that this package cannot read`)
      return ids.length ? ids : [padId]
    }
  } catch (error) {
    throw coded(error, 'artefact_unreadable', `${name} is no tokenizer: `)
  }
}

export const KIND: ItemKind = {
  files: (decode) => [(decode as TextDecode).tokenizer],

  open(manifest, files, platform) {
    const { tokenizer, pad_id: padId } = manifest.decode as TextDecode
    const input = manifest.inputs[0]?.name ?? ''
    const encode = encoder(files.get(tokenizer) ?? new Uint8Array(), tokenizer, padId)
    async function read(item: Item): Promise<Piece> {
      const text = stripped(textOf(item))
      if (!text) throw new ModelError('text_missing', 'the text is empty')
      const ids = BigInt64Array.from(encode(text), BigInt)
      return { feeds: { [input]: new platform.ort.Tensor('int64', ids, [1, ids.length]) }, count: 1, size: { width: 0, height: 0 } }
    }
    return {
      typical: () => read('?'),
      sample: read,
      item: decoded,
      pieces: (items) => oneByOne(items, read),
    }
  },
}
