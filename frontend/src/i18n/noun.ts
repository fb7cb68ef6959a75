const NOUN = /(?<!\{\{)\b([Pp])icture/g

/** Says in place of picture another noun that takes the same forms, in English sentences. */
export function inEnglish(noun: string): (sentence: string) => string {
  const capital = noun.charAt(0).toUpperCase() + noun.slice(1)
  return (sentence) => sentence.replace(NOUN, (_, initial) => (initial === 'P' ? capital : noun))
}
