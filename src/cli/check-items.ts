import { InvalidResultError } from '../errors.ts'

/** Refuses what cannot be shown, before any of it is. @throws InvalidResultError that names the first bad item. */
export function checkItems(
  method: string,
  name: string,
  items: readonly unknown[],
  complaintAbout: (item: unknown) => string | undefined,
): void {
  for (const [index, item] of items.entries()) {
    const complaint = complaintAbout(item)
    if (complaint) throw new InvalidResultError({ method, reason: `${name}[${index}] ${complaint}` })
  }
}
