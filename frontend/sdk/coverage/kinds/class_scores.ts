/** Which labels are possible, and whether a person should look: where another label than the predicted one is, or none. */
import { ModelError } from '../../errors'
import type { CoverageKind } from '../kind'

export const KIND: CoverageKind = {
  beside({ data }, labels, thresholds, { limits }) {
    const found = labels.map((label, place) => ({ label, score: data[place] as number }))
    // Where each label has a threshold, the one that is furthest above its own is predicted.
    const haveThresholds = labels.every((label) => (thresholds[label] ?? 0) > 0)
    const rank = ({ label, score }: { label: string; score: number }) => (haveThresholds ? score / (thresholds[label] as number) : score)
    const predicted = found.reduce((best, each) => (rank(each) > rank(best) ? each : best))
    const missing = labels.find((label) => typeof limits[label] !== 'number')
    if (missing !== undefined) throw new ModelError('artefact_unreadable', `there is no limit of the label ${missing}`)
    const possible = found.filter(({ label, score }) => score >= (limits[label] as number)).sort((one, other) => other.score - one.score)
    const names = possible.map(({ label }) => label)
    return { ask_a_person: names.length !== 1 || names[0] !== predicted.label, possible_labels: names }
  },
}
