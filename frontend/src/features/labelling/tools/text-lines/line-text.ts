/** What a line of text says: an attribute of its outline. Pure. */
import type { CanvasObject } from '../../../../canvas/object'

const NAME = 'text'

export function lineText(object: CanvasObject): string {
  const value = object.attributes?.find(({ name }) => name === NAME)?.value
  return typeof value === 'string' ? value : ''
}

/** The attributes with another text; none where it is empty. */
export function withLineText(object: CanvasObject, text: string): NonNullable<CanvasObject['attributes']> {
  const others = (object.attributes ?? []).filter(({ name }) => name !== NAME)
  return text ? [{ name: NAME, value: text }, ...others] : others
}
