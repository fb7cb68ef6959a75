/** Pictures on their way into the browser's cache; held so that they are not thrown away half loaded. */
const ahead: HTMLImageElement[] = []
const MAX_PICTURES = 20

export function preloadPicture(url: string): void {
  const picture = new Image()
  picture.src = url
  ahead.push(picture)
  if (ahead.length > MAX_PICTURES) ahead.shift()
}
