import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Editor } from '../../../canvas/editor'
import { useSignal } from '../../../canvas/react/use-signal'
import type { TemplateDetail } from '../api/templates'
import { contentOf, type Details, freeName, marksOf, NO_DETAILS, type Role, ROLES } from '../model/marks'

const COLORS: Record<Role, string> = { field: '#2b8a3e', reference: '#3b76f6', line: '#868e96' }

export type Marks = ReturnType<typeof useMarks>

/** What is marked on a template's picture: shapes on the canvas, and what belongs to each. */
export function useMarks(template: TemplateDetail, canChange: boolean) {
  const { t } = useTranslation('templates')
  const stem = t('mark.new_name')
  const [{ editor, first }] = useState(() => {
    const { objects, details } = marksOf(template)
    const { width, height } = template
    const editor = new Editor({ picture: { width, height }, objects, isReadOnly: !canChange })
    editor.appearance.set({ hasNames: false }) // they would cover the texts
    return { editor, first: details }
  })
  useEffect(
    () => editor.setLabels(ROLES.toReversed().map((name) => ({ name, title: t(`role.${name}`), color: COLORS[name] }))),
    [editor, t],
  )
  const [details, setDetails] = useState<ReadonlyMap<string, Details>>(first)
  useSignal(editor.changed, editor.selection.changed)

  useEffect(
    () =>
      editor.onOperations((operations) =>
        setDetails((before) => {
          const after = new Map(before)
          for (const operation of operations) {
            if (operation.type === 'remove' || operation.type === 'reorder') continue
            const object = editor.document.get(operation.type === 'add' ? operation.object.id : operation.id)
            const own = object && (after.get(object.id) ?? NO_DETAILS)
            if (object?.label === 'field' && !own?.name) after.set(object.id, { ...NO_DETAILS, ...own, name: freeName(stem, after) })
            else if (object && own) after.set(object.id, own)
          }
          return after
        }),
      ),
    [editor, stem],
  )

  const objects = editor.document.order.flatMap((id) => editor.document.get(id) ?? [])
  return {
    editor,
    objects,
    details,
    chosen: objects.find(({ id }) => id === editor.selection.only) ?? null,
    content: contentOf(objects, details),
    choose: (id: string) => editor.selection.set([id]),
    become: (id: string, role: Role) => editor.commit([{ type: 'update', id, patch: { label: role } }]),
    remove: (id: string) => editor.commit([{ type: 'remove', id }]),
    describe: (id: string, change: Partial<Details>) =>
      setDetails((before) => new Map(before).set(id, { ...NO_DETAILS, ...before.get(id), ...change })),
  }
}
