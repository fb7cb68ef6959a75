import { expect, it } from 'vitest'

import document from '../../../../openapi.json'

it('has a folder for each tool that a task may name, and none besides', () => {
  const folders = Object.keys(import.meta.glob('./*/tool.tsx')).map((path) => path.slice('./'.length, -'/tool.tsx'.length))
  expect(folders.sort()).toEqual([...document.components.schemas.TaskUI.properties.labelling_tool.enum].sort())
})
