// A toolkit of a user's project: what it imports is another copy than that of the command which serves it.
import { ProtocolError } from 'mcp-troupe'
import { currentRequest } from 'mcp-troupe/server'

export default class Curious {
  register(registrar) {
    registrar.tool('era', {}, () => currentRequest().era)
    registrar.tool('refuse', {}, () => {
      throw new ProtocolError({ code: 4711, message: 'Not today' })
    })
  }
}
