/** Names that stand in addresses and calls. */

const LONGEST = 63

/** What the server takes. */
export const isSlug = (slug: string) => /^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)

/**
 * A name for calls: what is no letter or digit becomes one hyphen.
 *
 * @param instead what it is made of where nothing is left, as of a Chinese name
 */
export function slugOf(name: string, instead = ''): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '')
  return slug || (instead && slugOf(instead))
}
