// What model.onnx takes as `tokens`: npm install @huggingface/tokenizers, then node ids.mjs ../artefact/tokenizer.json
// reads texts from standard input, a NUL behind each but the last, and writes a line of ids for each.
import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'

const definition = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const tokenizer = new Tokenizer(definition, {})
const longest = definition.truncation.max_length
const closing = definition.post_processor ? 1 : 0 // tokens that end every text, also one that is cut off

function idsOf(text) {
  const { ids } = tokenizer.encode(text)
  if (ids.length > longest) ids.splice(longest - closing, ids.length - longest) // the library cuts nothing off
  return ids
}

const texts = readFileSync(0, 'utf8').split('\0')
if (texts.length > 1 && texts.at(-1) === '') texts.pop()
for (const text of texts) console.log(idsOf(text).join(' '))
