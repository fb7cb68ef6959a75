import type { components } from '../../../lib/api/schema'

export type Version = components['schemas']['VersionOut']
