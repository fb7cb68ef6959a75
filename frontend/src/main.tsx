import './app/global.css'

import { createRoot } from 'react-dom/client'

import { App } from './app/app'
import { printInLight } from './app/print'
import { startFirstWords } from './i18n'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
printInLight()
void startFirstWords().then(() => createRoot(root).render(<App />))
