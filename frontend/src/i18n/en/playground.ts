export default {
  title: 'Drawing playground',
  subtitle: 'Try every drawing tool on a picture that belongs to no project. Nothing is sent; your drawing stays in this browser.',
  picture: 'Picture',
  pictures: { street: 'A street', blank: 'White', file: 'Your file' },
  open: 'Open a picture',
  fill: 'Shapes',
  shapes: 'Add {{count}} shapes',
  clear: 'Remove all',
  json: {
    open: 'JSON',
    title: 'What is drawn, as JSON',
    text: 'These are the annotations as they are stored and as formats and models see them. Change the text, or bring a file, and load it.',
    save: 'Save as a file',
    file: 'Choose a file',
    load: 'Load',
    broken: 'This is not a drawing: it needs "annotations", each with kind, label and place.',
  },
}
