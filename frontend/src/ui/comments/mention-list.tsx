import { Paper, UnstyledButton } from '@mantine/core'

import classes from './comments.module.css'

interface MentionListProps {
  id: string
  label: string
  names: readonly string[]
  active: number
  onChoose: (name: string) => void
}

/** The people who fit what is typed behind an `@`. */
export function MentionList({ id, label, names, active, onChoose }: MentionListProps) {
  return (
    <Paper id={id} role="listbox" aria-label={label} className={classes.people}>
      {names.map((name, index) => (
        <UnstyledButton
          key={name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          className={classes.person}
          // The field keeps the focus, so that one writes on at once.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(name)
          }}
        >
          {name}
        </UnstyledButton>
      ))}
    </Paper>
  )
}
