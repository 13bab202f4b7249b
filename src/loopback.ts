/** Whether a host is this machine, by its one name or an address of its own: what may be trusted to come from here. */
export function isLoopback(hostname: string | undefined): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(hostname ?? '')
}

/** That, or a name below `localhost`, which resolvers keep here (RFC 6761): what may be asked, or come back to, without encryption. */
export function leadsToLoopback(hostname: string): boolean {
  return isLoopback(hostname) || /\.localhost$/i.test(hostname)
}
