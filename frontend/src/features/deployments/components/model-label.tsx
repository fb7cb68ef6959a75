import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { useModelName } from '../../../lib/project/task'
import { useModelChoices } from '../../../lib/project/choices'

/** Names a model of a project by its number and family. */
export function useModelLabel(project: string): (artefact: string) => string {
  const { t } = useTranslation('deployments')
  const modelName = useModelName()
  const models = useModelChoices(project).data
  return (artefact) => {
    const model = models?.find((each) => each.id === artefact)
    return model
      ? t('form.model_choice', { number: model.number, name: modelName(model.family, model.size, model.num_members) })
      : t('detail.model')
  }
}

/** A model's name that leads to its page. */
export function ModelLink({ project, artefact }: { project: string; artefact: string }) {
  return (
    <Anchor component={Link} to={`/projects/${project}/models/${artefact}`} size="sm">
      {useModelLabel(project)(artefact)}
    </Anchor>
  )
}
