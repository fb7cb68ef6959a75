/** The form of a database, and the source sent to the server. It is never stored in the browser. */
import type { components } from '../../../lib/api/schema'
import { placeBelow } from './places'

export type SqlSource = components['schemas']['SqlSource']

export interface Database {
  engine: SqlSource['engine']
  host: string
  /** As it was typed. */
  port: string | number
  /** The name of a server's database. */
  database: string
  user: string
  password: string
  tls: SqlSource['tls']
  /** A folder of the server that its operator has opened, and the file of SQLite in it or below. */
  root: string
  path: string
  query: string
}

export const PORTS = { postgresql: 5432, mysql: 3306 }
export const NO_DATABASE: Database = {
  engine: 'postgresql',
  host: '',
  port: PORTS.postgresql,
  database: '',
  user: '',
  password: '',
  tls: 'prefer',
  root: '',
  path: '',
  query: '',
}

/** Whether everything stands there that the server asks for; whether it is right shows when it is asked. */
export function isComplete({ engine, host, port, database, root, path, query }: Database): boolean {
  if (!query.trim()) return false
  if (engine === 'sqlite') return Boolean(root && path.trim())
  return Boolean(host.trim() && database.trim()) && Number.isInteger(Number(port)) && Number(port) >= 1 && Number(port) <= 65535
}

/** The order; of the other engine's fields nothing is sent. */
export function sqlSource({ engine, host, port, database, user, password, tls, root, path, query }: Database): SqlSource {
  if (engine === 'sqlite')
    return {
      kind: 'sql',
      engine,
      database: placeBelow(root, path),
      host: '',
      user: '',
      password: '',
      tls: 'prefer',
      query,
    }
  return { kind: 'sql', engine, host: host.trim(), port: Number(port), database: database.trim(), user: user.trim(), password, tls, query }
}

/** With an engine chosen, its usual port, unless another was typed. */
export function withEngine(database: Database, engine: Database['engine']): Database {
  const isUsual = Object.values<string | number>(PORTS).includes(database.port)
  return { ...database, engine, port: isUsual && engine !== 'sqlite' ? PORTS[engine] : database.port }
}

const SCHEME = /^(?:jdbc:)?(postgres|mysql|mariadb)(?:ql)?(?:\+\w+)?:\/\//i
const TLS: Record<string, SqlSource['tls']> = {
  require: 'require',
  required: 'require',
  'verify-ca': 'verify',
  verify_ca: 'verify',
  'verify-full': 'verify',
  verify_identity: 'verify',
}

type Parts = Pick<Database, 'host' | 'port' | 'database' | 'user' | 'password' | 'tls'> & { engine: 'postgresql' | 'mysql' }

/** The parts of a whole address, `postgresql://user:password@host:port/name`, as people copy it; null when it is none. */
export function partsOfAddress(text: string): Parts | null {
  const scheme = SCHEME.exec(text.trim())
  if (!scheme) return null
  const engine = scheme[1]?.toLowerCase() === 'postgres' ? 'postgresql' : 'mysql'
  try {
    const url = new URL(text.trim().replace(SCHEME, 'postgresql://'))
    const query = url.searchParams
    return {
      engine,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || PORTS[engine]),
      database: decodeURIComponent(url.pathname.replace(/^\/+/, '')),
      user: decodeURIComponent(url.username) || (query.get('user') ?? ''),
      password: decodeURIComponent(url.password) || (query.get('password') ?? ''),
      tls: TLS[(query.get('sslmode') ?? query.get('ssl-mode') ?? query.get('sslMode') ?? '').toLowerCase()] ?? 'prefer',
    }
  } catch {
    return null
  }
}
