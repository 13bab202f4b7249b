// A server without any library, on node:http.

import '../../../fixtures/servers/echo-http.mjs'
