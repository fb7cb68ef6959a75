import { Anchor, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatNumber, formatLatency, formatMetric } from '../../../charts/format/format'
import { formatBytes } from '../../../lib/format'
import { useModelName } from '../../../lib/project/task'
import type { Artefact, Report } from '../api/types'
import { lessonOf } from '../model/distillation'

interface DistillationFactsProps {
  artefact: Artefact
  distillation: NonNullable<Report['distillation']>
}

/** A model beside the one that taught it: what it kept, and what it saves. */
export function DistillationFacts({ artefact, distillation }: DistillationFactsProps) {
  const { t } = useTranslation('models')
  const modelName = useModelName()
  const { teacher, student } = distillation
  const lesson = lessonOf(distillation)
  const rows = [
    ...lesson.metrics.map(({ name, teacher, student, share }) => ({
      name: t('distill.measured', { metric: t(`charts:metric.${name}`, name), split: t(`charts:split.${lesson.split}`) }),
      values: [formatMetric(name, teacher), formatMetric(name, student)],
      change: t('distill.kept', { share: formatNumber(100 * share) }),
    })),
    {
      name: t('distill.answer'),
      values: [formatLatency(teacher.answer_ms), formatLatency(student.answer_ms)],
      change: t('distill.faster', { times: formatNumber(lesson.speedup) }),
    },
    {
      name: t('report:model_size'),
      values: [formatBytes(teacher.model_bytes), formatBytes(student.model_bytes)],
      change: t('distill.smaller', { times: formatNumber(lesson.shrinkage) }),
    },
  ]
  const taughtBy = artefact.manifest.lineage.teacher
  const teacherName = modelName(teacher.train.family, teacher.train.size)
  return (
    <Stack gap="xs">
      <Table.ScrollContainer minWidth={480}>
        <Table fz="sm" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th />
              <Table.Th>
                {taughtBy ? (
                  <Anchor component={Link} size="sm" to={`/projects/${artefact.project}/models/${taughtBy}`}>
                    {t('distill.teacher', { name: teacherName })}
                  </Anchor>
                ) : (
                  t('distill.teacher', { name: teacherName })
                )}
              </Table.Th>
              <Table.Th>{t('distill.student')}</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.name}>
                <Table.Th scope="row" fw={400}>
                  {row.name}
                </Table.Th>
                {row.values.map((value, index) => (
                  <Table.Td key={index}>{value}</Table.Td>
                ))}
                <Table.Td>{row.change}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed">
        {t('distill.material', { labelled: distillation.num_labelled, unlabelled: distillation.num_unlabelled })}
      </Text>
    </Stack>
  )
}
