/** Endings of files that several kinds of items come in, as the field for files wants them. */
export const ARCHIVES = '.zip,.tar,.tgz,.gz,.bz2,.xz'
export const TABLES = '.csv,.tsv,.xlsx,.parquet,.arrow,.feather,.jsonl,.ndjson'
