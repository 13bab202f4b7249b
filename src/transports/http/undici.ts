/** undici alone in a file, for the same reason as execa: the build makes one file of its many. */
export { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
