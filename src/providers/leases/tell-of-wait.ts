import type { Conflict } from '../../../machines/index.ts'
import type { AcquireOptions } from './leasing.ts'

/** A callback that throws breaks no table. */
export function tellOfWait(onWait: AcquireOptions['onWait'], conflict: Conflict): void {
  try {
    onWait?.(conflict)
  } catch {}
}
