import type { components } from './schema'

/** The client types tuples as arrays. */
type Complete<T> = T extends readonly (infer E)[] ? Complete<E>[] : T extends object ? { [K in keyof T]: Complete<T[K]> } : T

/** A schema of the OpenAPI document in the form in which the client's answers hold it. */
export type Answer<Name extends keyof components['schemas']> = Complete<components['schemas'][Name]>
