import { describe, expect, it } from 'vitest'

import { orientationOf } from './exif'

const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))
const tiff = (value: number, isLittle = false) =>
  isLittle
    ? `II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0${String.fromCharCode(value)}\0\0\0`
    : `MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(value)}\0\0`

describe('orientationOf', () => {
  it('is read from JPEG, PNG and WebP', () => {
    const marker = `\xff\xd8\xff\xe0\0\x04ab\xff\xe1\0${String.fromCharCode(8 + tiff(6).length)}Exif\0\0`
    expect(orientationOf(bytes(marker + tiff(6)))).toBe(6)
    expect(orientationOf(bytes(marker + tiff(3, true)))).toBe(3)
    const png = `\x89PNG\r\n\x1a\n\0\0\0\x02abcdXYcrc!\0\0\0${String.fromCharCode(tiff(8).length)}eXIf${tiff(8)}crc!`
    expect(orientationOf(bytes(png))).toBe(8)
    const webp = `RIFF\0\0\0\0WEBPVP8X\x03\0\0\0abc\0EXIF${String.fromCharCode(tiff(5, true).length)}\0\0\0${tiff(5, true)}`
    expect(orientationOf(bytes(webp))).toBe(5)
  })

  it('is 1 where nothing is said or what is said is broken', () => {
    for (const text of ['', '\xff', '\xff\xd8', '\xff\xd8\xff\xe1\0\x0eExif\0\0MM\0*\0\0', '\x89PNG\r\n\x1a\n', 'GIF89a'])
      expect(orientationOf(bytes(text))).toBe(1)
    expect(orientationOf(bytes(`\xff\xd8\xff\xe1\0\x22Exif\0\0${tiff(9)}`))).toBe(1)
  })
})
