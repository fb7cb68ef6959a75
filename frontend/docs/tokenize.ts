/** Words of a text for the search, in lower case; Chinese has no spaces between them. */
export function tokenize(text: string): string[] {
  const words = new Intl.Segmenter('zh', { granularity: 'word' }).segment(text)
  return Array.from(words)
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase())
}
