import type { Feature, FurtherPage, NavEntry } from './feature'

const found = Object.values(import.meta.glob<{ default: Feature }>('../features/*/routes.tsx', { eager: true })).map((file) => file.default)

export const routesOf = (scope: Feature['scope']) => found.filter((feature) => feature.scope === scope).flatMap((feature) => feature.routes)

export const notifySignedIn = (person: string) => found.forEach((feature) => feature.onSignedIn?.(person))

export const navOf = (scope: Feature['scope']): NavEntry[] =>
  found
    .filter((feature) => feature.scope === scope)
    .flatMap((feature) => feature.nav ?? [])
    .sort((one, other) => one.order - other.order)

export const furtherOf = (scope: Feature['scope']): FurtherPage[] =>
  found.filter((feature) => feature.scope === scope).flatMap((feature) => feature.further ?? [])
