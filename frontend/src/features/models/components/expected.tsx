import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { formatEstimate, formatLatency } from '../../../charts/format/format'
import { formatRoughBytes } from '../../../lib/format'
import type { ParamValue } from '../../../ui/param-fields'
import { useExportEstimates } from '../api/exports'
import { useMeasurements } from '../api/measurements'
import type { Artefact, Target } from '../api/types'
import { changedOptions, deviceTimes } from '../model/targets'

interface ExpectedProps {
  artefact: Artefact
  target: Target
  /** That were chosen so far. */
  options: Record<string, ParamValue>
  /** With whose names the product answers; null: with what the model answers. */
  gallery: string | null
}

/** A number and its unit stay on one line. */
const together = (figure: string) => figure.replaceAll(' ', '\u00a0')

/** No more exact than a figure from another run can be. */
const roughLatency = (value_ms: number) => together(formatLatency(Number(value_ms.toPrecision(2))))

/** What a build will give, as far as it is known before: its size, how long it takes, and how fast it answers where. */
export function Expected({ artefact, target, options, gallery }: ExpectedProps) {
  const { t } = useTranslation('models')
  const usual = useExportEstimates(artefact.id, gallery)
  const chosen = useExportEstimates(artefact.id, gallery, target.name, changedOptions(target, options))
  const measured = useMeasurements(artefact.id)
  const isChanged = Object.keys(changedOptions(target, options)).length > 0
  const estimate = [...((isChanged && chosen.data) || []), ...(usual.data ?? [])].find((each) => each.target === target.name)
  if (!estimate) return null
  return (
    <Box fz="xs" mt={4}>
      {estimate.size_bytes !== null && <div>{t('exports.expected.size', { size: together(formatRoughBytes(estimate.size_bytes)) })}</div>}
      {estimate.build_s !== null && <div>{t('exports.expected.build', { time: together(formatEstimate(estimate.build_s)) })}</div>}
      {estimate.answer_ms !== null && <div>{t('exports.expected.answer', { time: roughLatency(estimate.answer_ms) })}</div>}
      {deviceTimes(target, measured.data ?? []).map(({ device, ms }) => (
        <div key={device}>{t('exports.expected.answer_on', { device, time: roughLatency(ms) })}</div>
      ))}
    </Box>
  )
}
