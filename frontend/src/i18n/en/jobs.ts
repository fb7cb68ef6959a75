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
  attempts_one: '{{count}} attempt',
  attempts_other: '{{count}} attempts',
  attempt_of: 'attempt {{attempt}} of {{most}}',
  log: 'Log',
  log_empty: 'Nothing was written yet.',
  kind: {
    ingest: 'Import',
    snapshot: 'Dataset version',
    train: 'Training',
    evaluate: 'Evaluation',
    export: 'Export',
    feedback: 'Feedback',
  },
  stage: {
    load: 'reading the data',
    cache: 'packing pictures',
    features: 'computing features',
    train: 'training',
    evaluate: 'evaluating',
    export: 'writing the model',
    parity: 'checking the model',
    ingest: 'importing',
    build: 'building',
    check: 'checking',
  },
  failure: {
    job_invalid: {
      message: 'The training cannot be run as configured.',
      hint: 'Check the model family, its size and its parameters, then start again.',
    },
    data_invalid: {
      message: 'The dataset version cannot be used.',
      hint: 'Mend the items named, make a new version and start again.',
    },
    picture_unreadable: {
      message: 'A picture cannot be read.',
      hint: 'Delete or replace the picture, make a new version and start again.',
    },
    version_damaged: {
      message: 'The files of the dataset version are damaged.',
      hint: 'Try again; if it stays, make a new version.',
    },
    asset_missing: {
      message: 'The pretrained weights are not there.',
      hint: 'Run `python manage.py assets` on the server with a network, or choose a family without pretrained weights.',
    },
    out_of_memory: {
      message: 'The memory ran out.',
      hint: 'Choose a smaller batch, picture size or model, or run fewer jobs at the same time.',
    },
    disk_full: {
      message: 'The disk is full.',
      hint: 'Free disk space on the server, then start again.',
    },
    nan_loss: {
      message: 'The training diverged.',
      hint: 'Choose a lower learning rate; if that does not help, look for broken pictures.',
    },
    parity_failed: {
      message: 'The exported model does not answer as the trained one does.',
      hint: 'This is a defect; please report it with the log.',
    },
    internal_error: {
      message: 'Something went wrong on our side.',
      hint: 'Try again; if it stays, please report it with the log.',
    },
    worker_lost: {
      message: 'The worker of this job is gone.',
      hint: 'See whether the server has enough memory, then try again.',
    },
    worker_crashed: {
      message: 'The process of this job ended without a word.',
      hint: 'The log shows its last lines. Try again; if it stays, please report it with the log.',
    },
    worker_stalled: {
      message: 'The process of this job said nothing for too long.',
      hint: 'The log shows its last lines. Try again; if it stays, please report it with the log.',
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
  empty: { title: 'Nothing runs and nothing ran', text: 'Imports, trainings and exports appear here as soon as they start.' },
} as const
