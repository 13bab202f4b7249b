/** undici alone in a file, for the same reason as execa: the build makes one file of its many. */
export { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
