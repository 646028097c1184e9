import { MASK } from '../../model/mask.js';

type Path = readonly (string | number)[];

/**
 * Finds the stored path of a sent value. Items of a list may have been moved, added or removed, so they are matched by
 * their content without secrets.
 * @param sent with every secret masked, like `stored`
 * @returns undefined if the item is ambiguous
 */
export function storedPath(path: Path, sent: unknown, stored: unknown): Path | undefined {
  const place: (string | number)[] = [];
  let ours = sent;
  let theirs = stored;
  for (const part of path) {
    const at = Array.isArray(ours) && typeof part === 'number' ? storedIndex(part, ours, asList(theirs)) : part;
    if (at === undefined) return undefined;
    place.push(at);
    [ours, theirs] = [memberOf(ours, part), memberOf(theirs, at)];
  }
  return place;
}

function storedIndex(index: number, sent: readonly unknown[], stored: readonly unknown[]): number | undefined {
  const ours = sent.map(textOf);
  const theirs = stored.map(textOf);
  const own = ours[index];
  // Items of secrets only are matched by their index, which is unreliable once the list is shorter.
  if (own === textOf(MASK)) return sent.length >= stored.length && index < stored.length ? index : undefined;
  if (theirs[index] === own) return index;
  const same = theirs.flatMap((text, at) => (text === own ? [at] : []));
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  // The item was edited in place, if the list has the same length and the old item is not at another index.
  const stood = theirs[index];
  return sent.length === stored.length && stood !== undefined && !ours.includes(stood) ? index : undefined;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}
