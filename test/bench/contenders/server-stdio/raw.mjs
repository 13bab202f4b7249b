// A server without any library: what the pipe, the JSON and the process themselves cost.

import '../../../fixtures/servers/echo.mjs'
