import './app/global.css'

import { createRoot } from 'react-dom/client'

import { App } from './app/app'
import { printInLight } from './app/print'
import { startI18n } from './i18n'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
printInLight()
void startI18n().then(() => createRoot(root).render(<App />))
