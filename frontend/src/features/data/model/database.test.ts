import { describe, expect, it } from 'vitest'

import { isComplete, NO_DATABASE, partsOfAddress, sqlSource, withEngine } from './database'
import { placeBelow } from './places'

const SHOP = { ...NO_DATABASE, host: ' db.example.org ', database: 'shop', user: 'reader', password: ' s3cret ', query: 'SELECT 1' }

describe('the source of a query', () => {
  it('is complete once the address, the name and the query stand there', () => {
    expect(isComplete(SHOP)).toBe(true)
    for (const missing of [{ host: ' ' }, { database: '' }, { query: ' \n' }, { port: '' }, { port: 0 }, { port: 65536 }, { port: 1.5 }])
      expect([missing, isComplete({ ...SHOP, ...missing })]).toEqual([missing, false])
    expect(isComplete({ ...SHOP, user: '', password: '' })).toBe(true)
  })

  it('sends the password as it was typed and the rest without blanks around it', () => {
    expect(sqlSource({ ...SHOP, port: '5433', tls: 'verify' })).toEqual({
      kind: 'sql',
      engine: 'postgresql',
      host: 'db.example.org',
      port: 5433,
      database: 'shop',
      user: 'reader',
      password: ' s3cret ',
      tls: 'verify',
      query: 'SELECT 1',
    })
  })

  it('sends nothing of a server where a file is asked', () => {
    const file = { ...SHOP, engine: 'sqlite' as const, root: '/data', path: 'shops/shop.sqlite' }
    expect(isComplete(file)).toBe(true)
    expect(isComplete({ ...file, path: ' ' })).toBe(false)
    expect(isComplete({ ...file, root: '' })).toBe(false)
    expect(sqlSource(file)).toMatchObject({ engine: 'sqlite', database: '/data/shops/shop.sqlite', host: '', user: '', password: '' })
  })
})

it('has the usual port of its engine, or the one that was typed', () => {
  expect(withEngine(SHOP, 'mysql')).toMatchObject({ engine: 'mysql', port: 3306 })
  expect(withEngine(withEngine(SHOP, 'mysql'), 'sqlite').port).toBe(3306)
  expect(withEngine(withEngine(SHOP, 'mysql'), 'postgresql')).toEqual(SHOP)
  expect(withEngine({ ...SHOP, port: 6000 }, 'mysql').port).toBe(6000)
})

describe('a whole address', () => {
  it('fills the fields', () => {
    expect(partsOfAddress(' postgresql://ada:p%40ss@db.example.org:6543/sh%20op?sslmode=verify-full\n')).toEqual({
      engine: 'postgresql',
      host: 'db.example.org',
      port: 6543,
      database: 'sh op',
      user: 'ada',
      password: 'p@ss',
      tls: 'verify',
    })
  })

  it('may be that of another library, of IPv6, or short', () => {
    expect(partsOfAddress('postgres://[::1]/shop')).toMatchObject({ host: '::1', port: 5432, user: '', password: '', tls: 'prefer' })
    expect(partsOfAddress('postgresql+psycopg://db/shop?sslmode=require')).toMatchObject({ host: 'db', database: 'shop', tls: 'require' })
    expect(partsOfAddress('jdbc:postgresql://db:1/shop?user=ada&password=x')).toMatchObject({ port: 1, user: 'ada', password: 'x' })
  })

  it('may be that of MySQL', () => {
    expect(partsOfAddress('mysql+pymysql://ada:x@db/shop')).toMatchObject({ engine: 'mysql', host: 'db', port: 3306, user: 'ada' })
    expect(partsOfAddress('jdbc:mariadb://db:1/shop?sslMode=VERIFY_IDENTITY')).toMatchObject({ engine: 'mysql', port: 1, tls: 'verify' })
  })

  it('is nothing else', () => {
    for (const text of ['', 'db.example.org', 'sqlite://db/shop', 'https://db/shop', 'postgresql://db:99999/shop', 'postgres://a:%zz@b/c'])
      expect([text, partsOfAddress(text)]).toEqual([text, null])
  })
})

it('finds a place below a folder, also by its whole path', () => {
  expect(placeBelow('/data', '')).toBe('/data')
  expect(placeBelow('/data/', ' /2026/a.db ')).toBe('/data/2026/a.db')
  expect(placeBelow('/data', '/data/2026')).toBe('/data/2026')
  expect(placeBelow('/data', '/database')).toBe('/data/database')
  expect(placeBelow('/', 'srv')).toBe('/srv')
  expect(placeBelow('/', '')).toBe('/')
})
