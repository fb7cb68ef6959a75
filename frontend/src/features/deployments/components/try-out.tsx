import { Suspense } from 'react'

import { useAnswerKind } from '../../../answers'
import { AnnotationOverlay } from '../../../answers/annotation-overlay'
import type { TryOutAnswers, TryOutForm } from '../../../items/try-out'
import { useProject } from '../../../lib/project/project'
import { LoadingState } from '../../../ui/loading-state'
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

/** What else can be asked of the deployment, where its answers are of such a kind. */
export function FurtherTryOut({ deployment }: { deployment: Deployment }) {
  const Further = useAnswerKind().FurtherTryOut
  return Further ? (
    <Suspense fallback={<LoadingState />}>
      <Further deployment={deployment} />
    </Suspense>
  ) : null
}
