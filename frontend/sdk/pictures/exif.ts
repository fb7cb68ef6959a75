/** The orientation that a picture file's EXIF data tells: JPEG, PNG and WebP. */

const ORIENTATION = 0x0112
const LITTLE_ENDIAN = 0x4949
const SHORT = 3

const ascii = (view: DataView, at: number, length: number) =>
  at + length > view.byteLength ? '' : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length))

/** 1 to 8; 1 where nothing says otherwise or the data is broken. */
export function orientationOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const at = exifPlace(view)
    return at === null ? 1 : fromTiff(view, at)
  } catch (error) {
    if (error instanceof RangeError) return 1
    throw error
  }
}

/** Where the TIFF structure begins. */
function exifPlace(view: DataView): number | null {
  if (view.getUint16(0) === 0xffd8) return inJpeg(view)
  if (ascii(view, 1, 3) === 'PNG') return inChunks(view, 8, 'eXIf', (at) => [view.getUint32(at), ascii(view, at + 4, 4), 4])
  if (ascii(view, 0, 4) === 'RIFF')
    return inChunks(view, 12, 'EXIF', (at) => [view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) & 1), ascii(view, at, 4), 0])
  return null
}

function inJpeg(view: DataView): number | null {
  for (let at = 2; at + 4 <= view.byteLength;) {
    const marker = view.getUint16(at)
    if (marker === 0xffff) {
      at++ // fill byte
      continue
    }
    if (marker < 0xff00 || marker === 0xffda) return null
    if (marker === 0xffe1 && ascii(view, at + 4, 6) === 'Exif\0\0') return at + 10
    at += 2 + view.getUint16(at + 2)
  }
  return null
}

function inChunks(
  view: DataView,
  first: number,
  signature: string,
  read: (at: number) => [size: number, name: string, tail: number],
): number | null {
  for (let at = first; at + 8 <= view.byteLength;) {
    const [size, name, tail] = read(at)
    if (name === signature) return ascii(view, at + 8, 6) === 'Exif\0\0' ? at + 14 : at + 8
    at += 8 + size + tail
  }
  return null
}

function fromTiff(view: DataView, start: number): number {
  const isLittle = view.getUint16(start) === LITTLE_ENDIAN
  const directory = start + view.getUint32(start + 4, isLittle)
  const count = view.getUint16(directory, isLittle)
  for (let entry = 0; entry < count; entry++) {
    const at = directory + 2 + entry * 12
    if (view.getUint16(at, isLittle) !== ORIENTATION || view.getUint16(at + 2, isLittle) !== SHORT) continue
    const value = view.getUint16(at + 8, isLittle)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}
