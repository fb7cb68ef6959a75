/** Puts a key into the programs that the server renders. */

export const LANGUAGES = ['curl', 'python', 'javascript'] as const
export type SnippetLanguage = (typeof LANGUAGES)[number]

/** How each language reads the variable, in the server's snippets. */
const READS: Record<SnippetLanguage, string> = {
  curl: '$MODELYARD_KEY',
  python: "{os.environ['MODELYARD_KEY']}",
  javascript: '${process.env.MODELYARD_KEY}',
}

/** The program with the key in place of the environment variable, so that it runs as it is pasted. */
export function withKey(language: SnippetLanguage, snippet: string, secret: string): string {
  return snippet.split(READS[language]).join(secret)
}
