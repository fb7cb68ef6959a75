export { referencePages as default } from '../../frontend/docs/reference'
