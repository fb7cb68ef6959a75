import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { formatDuration, formatLatency, formatNumber } from '../../../charts/format/format'
import { formatBytes } from '../../../lib/format'
import { useModelName } from '../../../lib/project/task'
import { Facts } from '../../../ui/facts'
import type { Artefact, Report } from '../api/types'

/** How the engine begins the name of a part that comes from elsewhere. */
const PRETRAINED = /^pretrained weights: /

interface ReportFactsProps {
  artefact: Artefact
  report: Report
}

/** What a person asks about a model besides its quality. */
export function ReportFacts({ artefact, report }: ReportFactsProps) {
  const { t } = useTranslation('models')
  const project = `/projects/${artefact.project}`
  const modelName = useModelName()
  const test = report.splits.find(({ split }) => split === 'test')
  const licences = artefact.licences.map(({ part, spdx }) => `${part.replace(PRETRAINED, t('report.pretrained'))}: ${spdx}`).join('; ')
  return (
    <Facts
      facts={[
        { name: t('report.family'), value: modelName(artefact.family, artefact.size, artefact.num_members) },
        { name: t('report.latency'), value: formatLatency(report.latency_ms), help: t('report.latency_help') },
        { name: t('report.model_size'), value: formatBytes(report.model_bytes) },
        ...(artefact.study ? [{ name: t('report.train_time'), value: formatDuration(report.train_seconds) }] : []),
        {
          name: t('report.parity'),
          value: t('report.parity_value', { tolerance: formatNumber(artefact.tolerance) }),
          help: t('report.parity_help'),
        },
        {
          name: t('report.version'),
          value: (
            <Anchor component={Link} to={`${project}/versions/${artefact.version}`} size="sm">
              {t('report.version_number', { number: artefact.version_number })}
            </Anchor>
          ),
        },
        // A compressed model was not trained, so no study made it.
        ...(artefact.study
          ? [
              {
                name: t('report.study'),
                value: (
                  <Anchor component={Link} to={`${project}/studies/${artefact.study}`} size="sm">
                    {t('report.study_link')}
                  </Anchor>
                ),
              },
            ]
          : []),
        { name: t('report.looks'), value: test ? formatNumber(test.num_models) : '–', help: t('report.looks_help') },
        { name: t('report.licences'), value: licences || '–' },
      ]}
    />
  )
}
