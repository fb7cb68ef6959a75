import type { components } from './schema'

/** The client tells tuples as arrays. */
type AsTold<T> = T extends readonly (infer E)[] ? AsTold<E>[] : T extends object ? { [K in keyof T]: AsTold<T[K]> } : T

/** A schema of the OpenAPI document in the form in which the client's answers hold it. */
export type Answer<Name extends keyof components['schemas']> = AsTold<components['schemas'][Name]>
