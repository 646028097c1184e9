import { MASK } from '../../model/mask.js';

type Path = readonly (string | number)[];

/**
 * Finds the path at which a sent value is stored. Items of a list may have been moved, added or removed, so they are
 * matched by their content without secrets.
 * @param sent the value with every secret masked, like `stored`
 * @returns undefined if the item is ambiguous
 */
export function findStoredPath(path: Path, sent: unknown, stored: unknown): Path | undefined {
  const result: (string | number)[] = [];
  let sentValue = sent;
  let storedValue = stored;
  for (const part of path) {
    const storedPart =
      Array.isArray(sentValue) && typeof part === 'number'
        ? findStoredIndex(part, sentValue, asList(storedValue))
        : part;
    if (storedPart === undefined) return undefined;
    result.push(storedPart);
    [sentValue, storedValue] = [memberOf(sentValue, part), memberOf(storedValue, storedPart)];
  }
  return result;
}

function findStoredIndex(
  index: number,
  sentItems: readonly unknown[],
  storedItems: readonly unknown[],
): number | undefined {
  const sentTexts = sentItems.map(textOf);
  const storedTexts = storedItems.map(textOf);
  const sentText = sentTexts[index];
  // Items that consist only of a secret are matched by their index, which is unreliable once the list is shorter.
  if (sentText === textOf(MASK))
    return sentItems.length >= storedItems.length && index < storedItems.length ? index : undefined;
  if (storedTexts[index] === sentText) return index;
  const matches = storedTexts.flatMap((storedText, position) => (storedText === sentText ? [position] : []));
  if (matches.length > 0) return matches.length === 1 ? matches[0] : undefined;
  // If the list has the same length, and the old item is not at another index, the item was edited in place.
  const previousText = storedTexts[index];
  return sentItems.length === storedItems.length && previousText !== undefined && !sentTexts.includes(previousText)
    ? index
    : undefined;
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
