import './app/global.css'

import { createRoot } from 'react-dom/client'

import { App } from './app/app'
import { printInLight } from './app/print'
import { wordRefusals } from './app/refusal-words'
import { startFirstWords } from './i18n'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
printInLight()
wordRefusals()
void startFirstWords().then(() => createRoot(root).render(<App />))
