export default {
  title: 'Projects',
  create: 'New project',
  name: 'Name',
  name_example: 'e.g. Scratches on housings',
  description: 'Description',
  task: 'What is to be learned?',
  labelled: '{{annotated}} of {{items}} labelled',
  models_one: '{{count}} model',
  models_other: '{{count}} models',
  services_one: '{{count}} service',
  services_other: '{{count}} services',
  empty: {
    title: 'No project yet',
    text: 'A project holds your pictures, their labels, and the models made from them. A guide leads you from the first picture to an answered API.',
  },
} as const
