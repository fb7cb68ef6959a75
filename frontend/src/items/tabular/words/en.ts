/** How a project of rows speaks of its items: the noun, and what differs by more than the noun. */
export default {
  noun: { one: 'row', other: 'rows', One: 'Row', Other: 'Rows', a: 'a row', A: 'A row' },
  common: { nothing_labelled: 'no target', nothing_drawn: 'no target' },
  collect: {
    urls: {
      label: 'Addresses of tables, one a line',
      help: 'Files of CSV, TSV, Excel, Parquet, Arrow, feather or JSONL, also in a zip. Their rows are added.',
      file: 'Open a list of addresses',
    },
    folder: { help: 'Every table in it and below is read; leave empty for the whole bucket or folder.' },
  },
  data: {
    drop: {
      title: 'Drop a table here',
      text: 'CSV, TSV, Excel, Parquet, Arrow, feather or JSONL, also in a zip. The first line names the columns; what they mean is guessed and can be changed.',
      files: 'Choose a table',
    },
    filter: { search: 'Search in cells', label: 'With any of the categories', without: 'Without the categories' },
    metadata: { text: 'Source, batch, period or anything else that distinguishes rows, to filter by. It is never used for training.' },
    flags: { low_information: 'almost empty', odd_size: 'odd number of cells' },
    staged: { labels: 'Target' },
    gallery: { unlabelled: 'target not known' },
    counts: { annotated: '{{count, number}} with a target', unlabelled: '{{count, number}} without' },
  },
  deployments: {
    try: { drop: 'Fill in the columns' },
    form: { keep: { uncertain_help: 'Rows the model was unsure about, to find their target later.' } },
  },
  jobs: {
    failure: { out_of_memory: { hint: 'Choose a smaller model or one that takes fewer rows, or run fewer jobs at the same time.' } },
    stage: { look: 'profiling columns' },
  },
  labelling: {
    assist: { features: 'Reading rows: {{done}} of {{total}}' },
    empty: { text: 'Upload a table, then say what is missing here.', action: 'Upload a table' },
    keys: { label: 'Assign category {{number}} and continue' },
    passed: {
      text_one: '{{count, number}} row was shown and left without a target.',
      text_other: '{{count, number}} rows were shown and left without a target.',
    },
    end: { text: 'You have gone through the rows that you opened. Those without a target are still in the queue.' },
    picker: {
      title: 'Categories',
      search: 'Find a category',
      search_add: 'Find or add a category',
      empty: 'There are no categories yet. Type a name above and press Enter.',
    },
    annotations: { unlabelled: 'Target not known', nothing: 'No target' },
  },
  labels: {
    to_data: 'Choose the target',
    empty_text: 'Add them here, or choose the column to predict: its values become the categories.',
  },
  map: {
    lead: 'Rows with similar cells lie side by side. Select a group, or find what does not belong.',
    looking: 'Reading rows',
    looked_at: '{{done}} of {{total}} rows read. The map appears automatically.',
  },
  overview: {
    subtitle: 'From a table to a working API.',
    all_done: 'All steps are done: from a table to a working API.',
    count: { annotated: 'with a target' },
    step: {
      upload: { title: 'Upload a table', text: 'Drop a CSV, Excel, Parquet or JSONL file. Columns and what they mean are recognised.' },
      label: {
        title: 'Choose what to predict',
        action: 'Choose',
        text: 'One column becomes the target; rows where it is empty can be filled in by hand.',
        done_one: '{{count}} row has a target.',
        done_other: '{{count}} rows have a target.',
      },
      report: { text: 'How often it is right and what it depends on, row by row.' },
    },
  },
  quality: {
    lead: 'Duplicates, leaks, odd rows and doubtful targets, found before they harm training.',
    empty_text: 'Every row is checked once: duplicates, outliers, and targets that a model doubts.',
    stage: { look: 'Reading rows' },
    facts: { handmade: 'their cells', features_help: 'What turns a row into numbers for outliers and doubtful targets.' },
    notes: {
      no_weights: 'Rows were compared by their cells. Outliers and doubtful targets are less reliable.',
    },
    evidence: { exact_duplicate: 'Identical cells', low_information: '{{value}} of it is empty' },
    kind: {
      exact_duplicate: { help: 'The same cells in different rows.' },
      near_duplicate: { help: 'Nearly the same cells.' },
      low_information: { help: 'Hardly any cells are filled.' },
      odd_size: { title: 'Odd number of cells', help: 'Many more or fewer cells filled than is usual here.' },
    },
  },
  predictions: {
    empty_text:
      'Run a model over the rows of the project, a version or tables of your own: to use the results elsewhere, or to compare models.',
    form: { source_help: { items: 'The rows that are in the project when it starts.' } },
    files: { help: 'CSV, TSV, Excel, Parquet, Arrow or JSON Lines with the columns the model reads; archives of them too.' },
  },
  refusals: {
    picture_unreadable: { title: 'The row cannot be read', hint: 'Send cells by the names of the columns.' },
  },
  report: {
    per_class: 'By category',
    label: 'Category',
    support: 'Rows',
    worst_text: 'The rows that the model was most wrong about. Look for wrong cells and for missing columns.',
    robustness: {
      help: 'How well altered rows are answered: with empty cells, noise in the numbers or categories that the model has never seen, as forms, sensors and other systems produce them. Each alteration is drawn five times and averaged.',
      none: 'Not tested on the {{split}} split yet. Up to 2,000 rows are altered in up to nine ways; the test runs in the background and takes seconds.',
    },
  },
  shortcuts: {
    gallery: { delete: 'Delete the selected rows; on a cell: empty it, and ask where other rows are selected' },
  },
  studies: {
    goal: {
      fastest_help: 'One model that answers at once; no ensemble.',
      fast_help: 'Models that train and predict quickly.',
      accurate_help: 'More models, and several put together.',
    },
    trial: { stage: { cache: 'reading the rows', features: 'preparing columns', train: 'fitting' } },
  },
  versions: {
    to_labelling: 'Choose the target',
    empty_text: 'Choose what to predict, then freeze the rows as a version to train on.',
    dialog: {
      text: 'All rows with a known target are frozen as they are now. Rows without one are not included.',
      split_field: 'Column',
      split_rules: { named: 'Splits named in a column' },
      split_helps: {
        named:
          'Cells such as train, validation and test say the split; where they do not, chance decides. Set the column to “Ignore”, so that no model learns from it.',
      },
    },
  },
} as const
