import { expect, it } from 'vitest'

import { withColumns } from './choose-columns'

it('names the chosen columns and leaves all other lines as they are', async () => {
  const file = new File(['id;"what\nwas said";mood\n1;"a;b";good\n2;c;bad\n'], 'a.csv')
  const chosen = await withColumns(file, 3, { text: 1, label: 2 }, ';')
  expect([chosen.name, await chosen.text()]).toEqual(['a.csv', 'column_1;text;label\n1;"a;b";good\n2;c;bad\n'])
  const bare = await withColumns(file, 3, { text: 2, label: null }, ';')
  expect(await bare.text()).toContain('column_1;column_2;text\n')
})
