/** Texts that somebody pasted, one a line, as a table that is uploaded like any other. */

export interface PastedText {
  text: string
  /** What stood after a tab, as when two columns are copied from a sheet. */
  label?: string
}

/** The texts of pasted lines; blank lines are none. Only where most lines have a tab does it part a label from its text. */
export function textsOfLines(pasted: string): PastedText[] {
  const lines = pasted.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const isTabbed = lines.filter((line) => line.includes('\t')).length * 2 > lines.length
  return lines.flatMap((line): PastedText[] => {
    const tab = isTabbed ? line.lastIndexOf('\t') : -1
    if (tab < 0) return [{ text: line.trim() }]
    const [text, label] = [line.slice(0, tab).trim(), line.slice(tab + 1).trim()]
    if (text === '') return []
    return [label === '' ? { text } : { text, label }]
  })
}

/** A JSON line a text: quotes and commas need no escaping that somebody could read differently. */
export function tableOf(texts: readonly PastedText[], at: Date): File {
  const lines = texts.map(({ text, label }) => JSON.stringify(label === undefined ? { text } : { text, label }))
  const name = `pasted-${at.toISOString().slice(0, 19).replaceAll(':', '-').replace('T', '-')}.jsonl`
  return new File([lines.map((line) => `${line}\n`).join('')], name, { type: 'application/jsonl' })
}
