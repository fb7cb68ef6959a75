import { expect, test } from 'vitest'

import { csv } from './csv'

test('formulas get an apostrophe and numbers do not', () => {
  const formulas = ['=1+1', "-2+3+cmd|' /C calc'!A0", '+1+A1', '@SUM(1)', '\tx']
  expect(csv(formulas.map((text) => [text]))).toBe(formulas.map((text) => `'${text}\r\n`).join(''))
  const plain = ['-2.5', '+1e-3', '-', '-12%', '1,000.5']
  expect(csv(plain.map((text) => [text]))).toBe('-2.5\r\n+1e-3\r\n-\r\n-12%\r\n"1,000.5"\r\n')
})
