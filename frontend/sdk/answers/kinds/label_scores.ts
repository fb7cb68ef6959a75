export { SCORES as KIND } from '../scores'
