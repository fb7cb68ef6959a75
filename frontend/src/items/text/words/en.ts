/** How a project of texts speaks of its items: the noun, and what differs by more than the noun. */
export default {
  noun: { one: 'text', other: 'texts', One: 'Text', Other: 'Texts', a: 'a text', A: 'A text' },
  collect: {
    urls: {
      help: 'Text files, one text each. A label may follow after a comma or tab; several labels with | between. Tables are uploaded.',
    },
  },
  data: {
    drop: {
      title: 'Drop texts or tables of texts here',
      text: 'Text files and folders are uploaded at once. A table (CSV, TSV, Excel, Parquet, Arrow, feather or JSONL), a zip or a tar is shown first.',
    },
    filter: { search: 'Search in names and texts' },
    metadata: { text: 'Source, author, batch or anything else that distinguishes texts, to filter by.' },
    flags: { low_information: 'almost nothing to read', odd_size: 'odd length' },
    staged: {
      stray_one: '{{count, number}} label file is on its own. Upload the folder as a zip so that it is read together with its texts.',
      stray_other:
        '{{count, number}} label files are on their own. Upload the folder as a zip so that they are read together with their texts.',
    },
  },
  deployments: {
    try: { drop: 'Write or paste a text' },
  },
  jobs: {
    failure: { out_of_memory: { hint: 'Choose a smaller batch, shorter texts or a smaller model, or run fewer jobs at the same time.' } },
  },
  labelling: { assist: { features: 'Reading texts: {{done}} of {{total}}' } },
  map: {
    lead: 'Texts that say similar things lie side by side. Select a group and label it at once, or find what does not belong.',
    looking: 'Reading texts',
    looked_at: '{{done}} of {{total}} texts read. The map appears automatically.',
    search: {
      open: 'Search by meaning',
      title: 'Search by meaning',
      drop: 'Write what the texts should be about. It is compared and not kept.',
      again: 'Write something else to search again.',
      looking: 'The platform is reading the texts of this project for the first time. The results appear automatically.',
      none: 'No text of this project can be compared with it.',
      unlike: 'Nothing here is very similar. These are the closest:',
      unusable: 'This text cannot be used to search',
    },
    similar: { full: 'Open the whole text' },
  },
  overview: {
    step: {
      upload: { text: 'Drop a table (CSV, Excel, JSONL), a zip or text files, or paste texts. A column of labels is understood.' },
      report: { text: 'How often it is right and where it errs, text by text.' },
    },
  },
  quality: {
    lead: 'Duplicates, leaks, bad texts and doubtful labels, found before they harm training.',
    empty_text: 'Every text is checked once: duplicates, length, odd characters, outliers, and labels that a model doubts.',
    stage: { look: 'Reading texts' },
    facts: {
      handmade: 'character sequences',
      features_help: 'What turns a text into numbers for outliers and doubtful labels.',
    },
    notes: {
      no_weights:
        'The pretrained network was not available, so texts were compared by character sequences. Outliers and doubtful labels are less reliable.',
    },
    evidence: { exact_duplicate: 'Identical text', low_information: '{{value}} of it is uninformative' },
    kind: {
      exact_duplicate: { help: 'The same words in different texts.' },
      near_duplicate: { help: 'Nearly the same words: other case, blanks, punctuation, or a few words exchanged.' },
      low_information: { help: 'Almost nothing to read.' },
      odd_size: { title: 'Odd length', help: 'Much longer or shorter than is usual here.' },
    },
  },
  refusals: {
    picture_unreadable: { title: 'The text cannot be read', hint: 'Send a text file in UTF-8.' },
  },
  report: {
    robustness: {
      help: 'How well altered texts are answered: with typing errors, missing or swapped characters, capitals, full-width characters or missing words, as people and programs produce them. Each alteration is drawn three times and averaged. Alterations that would not change most of these texts are left out.',
      none: 'Not tested on the {{split}} split yet. Up to 200 texts are altered in up to eighteen ways; the test runs in the background and takes a minute or so.',
    },
  },
}
