import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

import { LoadingState } from './loading-state'
import { PageHeader } from './page-header'

/** A page whose content is on its way: its title, or a block in the title's place while that is unknown, so that nothing moves. */
export function LoadingPage({ title, subtitle }: { title?: string; subtitle?: ReactNode }) {
  return (
    <>
      {title ? (
        <PageHeader title={title} subtitle={subtitle} />
      ) : (
        // As high as the title and the line below it (page-header.tsx).
        <Stack gap={6} mb="md" h={50} pt={4} aria-hidden>
          <Skeleton height={20} width={220} maw="60%" />
          <Skeleton height={13} width={340} maw="80%" />
        </Stack>
      )}
      <LoadingState />
    </>
  )
}
