import { MASK } from '../../model/mask.js';

type Path = readonly (string | number)[];

/**
 * Where in what is stored the thing is that is sent at a path: items of a list may have been moved, added and removed, and are known
 * again by what is not secret in them.
 * @param sent with every secret masked, as `stored`
 * @returns undefined where nobody can tell which item it was
 */
export function storedPlace(path: Path, sent: unknown, stored: unknown): Path | undefined {
  const place: (string | number)[] = [];
  let [ours, theirs] = [sent, stored];
  for (const part of path) {
    const at = Array.isArray(ours) && typeof part === 'number' ? storedIndex(part, ours, asList(theirs)) : part;
    if (at === undefined) return undefined;
    place.push(at);
    [ours, theirs] = [memberOf(ours, part), memberOf(theirs, at)];
  }
  return place;
}

function storedIndex(index: number, sent: readonly unknown[], stored: readonly unknown[]): number | undefined {
  const [ours, theirs] = [sent.map(textOf), stored.map(textOf)];
  const own = ours[index];
  // Items that are nothing but secrets are known by their place alone, which a shorter list does not keep.
  if (own === textOf(MASK)) return sent.length >= stored.length && index < stored.length ? index : undefined;
  if (theirs[index] === own) return index;
  const same = theirs.flatMap((text, at) => (text === own ? [at] : []));
  if (same.length > 0) return same.length === 1 ? same[0] : undefined;
  // Changed where it stood: the list is as long as it was, and what stood there has not gone elsewhere.
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
