export default {
  title: 'Jobs',
  subtitle: 'Everything that runs in the background, with its progress and its log.',
  all: 'all',
  job: 'Job',
  state: 'State',
  progress: 'Progress',
  created: 'Started',
  cancel_named: 'Cancel {{title}}',
  stopping: 'stopping',
  took: 'took {{time}}',
  attempts_one: '{{count}} attempt',
  attempts_other: '{{count}} attempts',
  attempt_of: 'attempt {{attempt}} of {{most}}',
  log: 'Log',
  log_empty: 'Nothing was written yet.',
  kind: {
    ingest: 'Import',
    restore: 'Restore',
    archive_export: 'Archive',
    archive_import: 'Archive import',
    snapshot: 'Dataset version',
    train: 'Training',
    evaluate: 'Evaluation',
    robustness: 'Robustness test',
    export: 'Export',
    feedback: 'Feedback',
    collect: 'Collecting',
    examples: 'Examples',
    embed: 'Features',
    map: 'Map',
    quality: 'Quality report',
    profile: 'Profile of columns',
    label_change: 'Change of labels',
    label_rows: 'Labels from the target',
    bulk: 'Bulk change',
    predict: 'Batch prediction',
    suggest: 'Suggestions',
  },
  stage: {
    save: 'saving the present state',
    restore: 'putting the data back',
    archive: 'writing the archive',
    import: 'reading the archive',
    load: 'reading the data',
    cache: 'packing $t(noun:other)',
    features: 'computing features',
    train: 'training',
    evaluate: 'evaluating',
    export: 'writing the model',
    parity: 'checking the model',
    ingest: 'importing',
    build: 'building',
    check: 'checking',
    collect: 'collecting',
    examples: 'fetching examples',
    fetch: 'fetching the model',
    store: 'storing',
    layout: 'laying out the map',
    look: 'analysing $t(noun:other)',
    compare: 'comparing likely copies',
    labels: 'checking labels',
    profile: 'profiling columns',
    write: 'writing the report',
    bulk: 'making the changes',
    label_change: 'rewriting labels',
    feedback: 'taking inputs over',
    predict: 'predicting',
    suggest: 'making suggestions',
  },
  warning: {
    time_limit: 'The time limit was reached; the result is what was learned until then.',
    finished_early: 'The training was finished early on request; the result is what was learned until then.',
    rows_seen: 'The model may have been trained on rows of this split, so the figures are too optimistic.',
    start_seen:
      'Some held-out $t(noun:other) were used to train the model that this training started from, so the figures are too optimistic.',
    targets_far:
      'Some rows have targets far from all others that no column explains; they were not used for training. The report includes all rows.',
  },
  failure: {
    job_invalid: {
      message: 'The training cannot be run as configured.',
      hint: 'Check the model family, its size and its parameters, then start again.',
    },
    data_invalid: {
      message: 'The dataset version cannot be used.',
      hint: 'Fix the listed $t(noun:other), create a new version and start again.',
    },
    picture_unreadable: {
      message: '$t(noun:A) cannot be read.',
      hint: 'Delete or replace the $t(noun:one), create a new version and start again.',
    },
    item_damaged: {
      message: 'The stored file of $t(noun:a) is not the one that was uploaded.',
      hint: 'Restore the file store from a backup, or delete the $t(noun:one) and upload it again; then create a new version.',
    },
    version_damaged: {
      message: 'The files of the dataset version are damaged.',
      hint: 'Try again; if the problem persists, restore the file store from a backup, or change $t(noun:a) and create a new version.',
    },
    shard_damaged: {
      message: 'Stored features are not those that were written.',
      hint: 'They are computed again with the next upload; restoring the file store from a backup helps too.',
    },
    version_bytes_damaged: {
      message: 'A stored file of the dataset version is not the one that was written.',
      hint: 'Restore the file store from a backup, or change a label and create a new version.',
    },
    asset_missing: {
      message: 'The pretrained weights are missing.',
      hint: 'Run `python manage.py assets` on the server with a network, or choose a family without pretrained weights.',
    },
    examples_unreachable: {
      message: 'The examples could not be fetched.',
      hint: 'They come from package registries: try again when the server can reach them, or upload data of your own.',
    },
    out_of_memory: {
      message: 'The memory ran out.',
      hint: 'Choose a smaller batch or model, or run fewer jobs at the same time.',
    },
    disk_full: {
      message: 'The disk is full.',
      hint: 'Free disk space on the server, then start again.',
    },
    nan_loss: {
      message: 'The training diverged.',
      hint: 'Choose a lower learning rate; if that does not help, look for broken $t(noun:other).',
    },
    start_unsuitable: {
      message: 'Training cannot go on from this model.',
      hint: 'Choose a model of the same family and size, or start with a new one.',
    },
    start_weights_missing: {
      message: 'The model to start from has no stored weights.',
      hint: 'Choose another model, or start with a new one.',
    },
    parity_failed: {
      message: 'The exported model gives other answers than the trained one.',
      hint: 'This is a defect; please report it with the log.',
    },
    text_unreadable: {
      message: 'A text is not UTF-8.',
      hint: 'Save the text as UTF-8 or remove it, create a new version and start again.',
    },
    no_feature_columns: {
      message: 'There is no column to learn from.',
      hint: 'Use at least one column besides the target as a feature.',
    },
    nothing_trained: {
      message: 'None of the models could be trained.',
      hint: 'The warnings of the job give the reason for each; change the columns or the data and start again.',
    },
    library_missing: {
      message: 'A library of the system is missing on the server.',
      hint: 'Install the library that the details name, e.g. with `apt-get install libgomp1`.',
    },
    asset_changed: {
      message: 'A downloaded package does not have the expected content.',
      hint: 'Do not use the package; look for a newer version of Modelyard.',
    },
    asset_unknown: {
      message: 'There are no pretrained weights with this name.',
      hint: 'Choose another model family.',
    },
    export_failed: {
      message: 'The model could not be exported.',
      hint: 'The log says more.',
    },
    target_unknown: {
      message: 'This export target does not exist.',
      hint: 'Choose one of those listed.',
    },
    option_invalid: {
      message: 'A setting of the export is not allowed.',
      hint: 'Correct the setting that the details name.',
    },
    output_not_accepted: {
      message: 'Models of this kind cannot be exported to this target.',
      hint: 'Choose another export target.',
    },
    items_not_read: {
      message: 'Models that read such data cannot be exported to this target.',
      hint: 'Choose another export target.',
    },
    licence_refused: {
      message: 'The licence of a part of the model does not allow this export.',
      hint: 'Train a model with another family, or without these pretrained weights.',
    },
    tool_missing: {
      message: 'A program that the export needs is not installed on the server.',
      hint: 'Install the program that the details name.',
    },
    parts_not_built: {
      message: 'The JavaScript parts of this export are not built on the server.',
      hint: 'Run `python manage.py build_frontend` on the server, then export again.',
    },
    artefact_invalid: {
      message: 'The model’s files are incomplete or damaged.',
      hint: 'Train the model again.',
    },
    export_check_failed: {
      message: 'The exported model gives other answers than the trained one.',
      hint: 'The model was changed after training, or the server has other packages; train the model again or export it elsewhere.',
    },
    internal_error: {
      message: 'Something went wrong on our side.',
      hint: 'Try again; if the problem persists, please report it with the log.',
    },
    worker_lost: {
      message: 'The worker of this job was lost.',
      hint: 'Check that the server has enough memory, then try again.',
    },
    worker_crashed: {
      message: 'The process of this job ended unexpectedly.',
      hint: 'The log shows its last lines. Try again; if the problem persists, please report it with the log.',
    },
    worker_stalled: {
      message: 'The process of this job stopped responding.',
      hint: 'The log shows its last lines. Try again; if the problem persists, please report it with the log.',
    },
    job_memory_exceeded: {
      message: 'The job exceeded its memory limit and was stopped.',
      hint: 'A file unpacks to far more than its size suggests. Split it, shorten its longest cells, or save it in another format.',
    },
    job_time_exceeded: {
      message: 'The job did not respond for too long and was stopped.',
      hint: 'A file may take too long to read. Save it in another format.',
    },
    no_trial_succeeded: {
      message: 'Every trial was stopped or cancelled.',
      hint: 'Extend the study.',
    },
    no_trial_started: {
      message: 'The study ended before a trial could start.',
      hint: 'Give it more time or choose other model families, and extend it.',
    },
  },
  empty: { title: 'No jobs yet', text: 'Imports, training runs and exports appear here as soon as they start.' },
} as const
