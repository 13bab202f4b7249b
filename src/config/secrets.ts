export { redactor } from '../redactor.ts'
export { secretsOf } from '../transports/secrets-of.ts'
