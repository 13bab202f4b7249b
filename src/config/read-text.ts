import { readFile } from 'node:fs/promises'
import { ConfigError } from '../errors.ts'
import { thrownMessage } from '../thrown-message.ts'

/** A whole file; `what` it is, is for messages. @throws ConfigError */
export async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const reason = `cannot be read as ${what}: ${thrownMessage(cause)}`
    throw new ConfigError({ path: [path], reason }, { cause })
  }
}
