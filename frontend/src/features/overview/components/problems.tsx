import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useItemKind } from '../../../items'
import type { Problem, Project } from '../../../lib/api/types'
import { ProblemList } from '../../../ui/problem-list'
import { useProblems } from '../../../lib/project/problems'

/** How the codes of problems begin that the quality report found; the kind of finding follows. */
const FINDING = /^quality_(.+)$/
/** Stands among what waits for a person already. */
const WAITING = 'quality_wrong_label'

/** What the data lacks, blocking things first, each with a link to where it is mended. */
export function Problems({ project }: { project: Project }) {
  const { t } = useTranslation('overview')
  const { labelsFrom } = useItemKind()
  const problems = useProblems(project.id).data?.items ?? []
  if (problems.length === 0) return null
  const at = (page: string) => `/projects/${project.id}/${page}`
  const labels = new Set(project.label_set.labels.map(({ name }) => name))
  const placeOf = ({ code, item, field }: Problem) => {
    const finding = FINDING.exec(code)?.[1]
    if (finding) return { to: at(`quality?show=${finding}`), title: t('problem.quality') }
    if (item && labelsFrom === 'labelling') return { to: at(`labelling?item=${item}`), title: t('problem.item') }
    if (field && labels.has(field)) return { to: at(`data?label=${encodeURIComponent(field)}`), title: t('problem.label') }
    return labelsFrom === 'columns'
      ? { to: at('columns'), title: t('problem.columns') }
      : { to: at('labelling'), title: t('problem.labelling') }
  }
  return (
    <Stack gap="sm">
      <ProblemList
        isBlocking
        title={t('blocking')}
        problems={problems.filter((problem) => problem.severity === 'blocking')}
        placeOf={placeOf}
      />
      <ProblemList
        isBlocking={false}
        title={t('advisory')}
        problems={problems.filter(({ severity, code }) => severity === 'advisory' && code !== WAITING)}
        placeOf={placeOf}
      />
    </Stack>
  )
}
