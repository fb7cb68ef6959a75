import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'

import { startI18n } from '../../i18n'
import { PictureStage } from './stage'

beforeAll(startI18n)

it('takes the thumbnail away once the picture is there: it would shine through', () => {
  render(<PictureStage item={{ name: 'a.png', media: { width: 4, height: 3 }, picture_url: '/full', thumbnail_url: '/small' }} />, {
    wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider>,
  })
  const picture = screen.getByRole('img', { name: 'a.png' })
  expect(picture.style.backgroundImage).toContain('/small')
  fireEvent.load(picture)
  expect(picture.style.backgroundImage).toContain('data:image/svg')
})
