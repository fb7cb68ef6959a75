import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useGalleriesOfModel } from '../../../answers/joinable-galleries'
import { GallerySelect } from '../../../ui/gallery-select'
import { ModelSelect } from '../../../ui/model-select'

/** What goes to devices: a model, a gallery where the model has any, and whether other labels are allowed. */
export function useShipment(project: string, begin: { artefact: string; gallery: string | null }) {
  const { t } = useTranslation('devices')
  const [artefact, setArtefact] = useState(begin.artefact)
  const [chosen, setChosen] = useState(begin.gallery)
  const [allows, setAllows] = useState<boolean | null>(null)
  const galleries = useGalleriesOfModel(project, artefact)
  const gallery = galleries.some(({ id }) => id === chosen) ? chosen : null
  // Names of a gallery are labels, and come and go.
  const allows_other_labels = allows ?? gallery !== null
  const fields = (
    <>
      <ModelSelect project={project} value={artefact} onChange={setArtefact} />
      <GallerySelect galleries={galleries} value={gallery} help={t('gallery_help')} onChange={setChosen} />
      <Checkbox
        label={t('allows_other_labels')}
        checked={allows_other_labels}
        onChange={(event) => setAllows(event.currentTarget.checked)}
      />
    </>
  )
  return { body: { artefact, gallery, allows_other_labels }, fields }
}
