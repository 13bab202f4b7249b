/** execa alone in a file: the build makes one file of it and its many small ones, which were most of a cold start. */
export { execa } from 'execa'
