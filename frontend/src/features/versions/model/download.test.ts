import { expect, it } from 'vitest'

import { byLosses, downloadHref } from './download'

it('names the format and whether pictures go along', () => {
  expect(downloadHref('dsv_1', { format: 'coco', hasPictures: false })).toBe('/api/versions/dsv_1/download?format=coco&pictures=false')
})

it('puts formats that keep more first', () => {
  const formats = [
    { name: 'voc', kinds_lost: ['mask'], loses: [] },
    { name: 'yolo', kinds_lost: [], loses: [1, 2] },
    { name: 'coco', kinds_lost: [], loses: [] },
    { name: 'cvat', kinds_lost: [], loses: [] },
  ]
  expect(byLosses(formats).map((one) => one.name)).toEqual(['coco', 'cvat', 'yolo', 'voc'])
})
