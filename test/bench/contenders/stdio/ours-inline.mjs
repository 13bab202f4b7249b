// Our client with its connection on the caller's own thread.

import { connect as connectHosted } from './ours.mjs'

export const connect = (server) => connectHosted(server, { hosting: 'inline' })
