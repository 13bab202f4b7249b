/** The thread entry: what a thread of the pool runs. Built as one file, since the many small files of its libraries are most of a cold start. */
export { hostConnection as default } from './host-connection.ts'
