import { useAnswerKind } from '../../../answers'
import { AnnotationOverlay } from '../../../answers/annotation-overlay'
import type { TryOutAnswers, TryOutForm } from '../../../items/try-out'
import { useProject } from '../../../lib/project/project'
import type { Deployment } from '../api/types'

/** A kind's form to try the deployment out, with what the kind of answers draws. */
export function TryOut({ deployment, Form }: { deployment: Deployment } & Pick<TryOutForm, 'Form'>) {
  const { Prediction, explained, format } = useAnswerKind()
  const labels = useProject().data?.label_set.labels ?? []
  const answers: TryOutAnswers = {
    renderPrediction: (annotations) => <Prediction annotations={annotations} />,
    renderOverlay: (annotations, media) => (
      <AnnotationOverlay item={{ media }} annotations={annotations} labels={labels} hasNames hasScores />
    ),
    isExplained: explained !== undefined,
    format,
  }
  return <Form deployment={deployment} answers={answers} />
}
