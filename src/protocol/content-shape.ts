import { isObject } from './json-rpc.ts'

/** What a content block lacks that nobody can do without; undefined: nothing. Kinds unknown here are taken as they are. */
export function complaintAboutBlock(block: unknown): string | undefined {
  if (!isObject(block)) return 'is no object'
  switch (block.type) {
    case 'text':
      return needsText(block, 'text')
    case 'image':
    case 'audio':
      return needsText(block, 'data')
    case 'resource_link':
      return needsText(block, 'uri')
    case 'resource': {
      const complaint = complaintAboutContents(block.resource)
      return complaint && `has a resource that ${complaint}`
    }
    default:
      return needsText(block, 'type')
  }
}

/** The same for one of the contents of a resource. */
export function complaintAboutContents(contents: unknown): string | undefined {
  if (!isObject(contents)) return 'is no object'
  return typeof contents.text === 'string' ? undefined : needsText(contents, 'blob', 'neither text nor blob')
}

/** The same for a message of a prompt. */
export function complaintAboutMessage(message: unknown): string | undefined {
  if (!isObject(message)) return 'is no object'
  const complaint = complaintAboutBlock(message.content)
  return needsText(message, 'role') ?? (complaint && `has content that ${complaint}`)
}

function needsText(
  value: object,
  member: string,
  instead = `no ${member} that is a string`,
): string | undefined {
  const found: unknown = Reflect.get(value, member)
  return typeof found === 'string' ? undefined : `has ${instead}`
}
