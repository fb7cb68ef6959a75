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
  const { t } = useTranslation('report')
  const project = `/projects/${artefact.project}`
  const modelName = useModelName()
  const test = report.splits.find(({ split }) => split === 'test')
  const licences = artefact.licences.map(({ part, spdx }) => `${part.replace(PRETRAINED, t('pretrained'))}: ${spdx}`).join('; ')
  return (
    <Facts
      facts={[
        { name: t('family'), value: modelName(artefact.family, artefact.size, artefact.num_members) },
        { name: t('latency'), value: formatLatency(report.latency_ms), help: t('latency_help') },
        { name: t('model_size'), value: formatBytes(report.model_bytes) },
        ...(artefact.study ? [{ name: t('train_time'), value: formatDuration(report.train_seconds) }] : []),
        {
          name: t('parity'),
          value: t('parity_value', { tolerance: formatNumber(artefact.tolerance) }),
          help: t('parity_help'),
        },
        {
          name: t('version'),
          value: (
            <Anchor component={Link} to={`${project}/versions/${artefact.version}`} size="sm">
              {t('version_number', { number: artefact.version_number })}
            </Anchor>
          ),
        },
        // A compressed model was not trained, so no study made it.
        ...(artefact.study
          ? [
              {
                name: t('study'),
                value: (
                  <Anchor component={Link} to={`${project}/studies/${artefact.study}`} size="sm">
                    {t('study_link')}
                  </Anchor>
                ),
              },
            ]
          : []),
        { name: t('looks'), value: test ? formatNumber(test.num_models) : '–', help: t('looks_help') },
        { name: t('licences'), value: licences || '–' },
      ]}
    />
  )
}
