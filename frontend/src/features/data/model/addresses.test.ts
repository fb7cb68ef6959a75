import { expect, it } from 'vitest'

import { addressesOf } from './addresses'

it('counts addresses, labels and lines that are neither', () => {
  const text = 'url,label\nhttps://a.org/1.png,cat\nhttps://a.org/2.png\n\n"http://a.org/3.png","a|b"\nnot an address\nftp://a.org/x'
  expect(addressesOf(text)).toEqual({ num_urls: 3, num_labelled: 2, strange: ['not an address', 'ftp://a.org/x'] })
})

it('does not take a comma inside of an address for a label', () => {
  expect(addressesOf('https://a.org/w_200,h_100/1.png').num_labelled).toBe(0)
})
