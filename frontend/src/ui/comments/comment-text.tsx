import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'

import { mentionParts } from '../../lib/comments/mentions'
import { useHasRole } from '../../lib/session/session'
import classes from './comments.module.css'

/** What a comment says; names behind an `@` lead to the people of the workspace. */
export function CommentText({ text, mentions }: { text: string; mentions: readonly string[] }) {
  const canSeePeople = useHasRole('viewer')
  return (
    <Text size="sm" className={classes.text}>
      {mentionParts(text, mentions).map((part, index) => {
        if (!part.isMention) return <Fragment key={index}>{part.text}</Fragment>
        return canSeePeople ? (
          <Link key={index} to="/settings?tab=members" className={classes.mention}>
            {part.text}
          </Link>
        ) : (
          <span key={index} className={classes.mention}>
            {part.text}
          </span>
        )
      })}
    </Text>
  )
}
