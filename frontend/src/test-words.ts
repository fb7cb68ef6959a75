import { beforeAll } from 'vitest'

import { startI18n } from './i18n'

// Every file begins with all words in English, whichever came before it.
beforeAll(startI18n)
