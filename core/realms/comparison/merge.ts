import { isObject, isTexts, type JsonObject, keysOf, ownMember } from './json.js';
import { matchItems } from './match-items.js';
import { isSame } from './same.js';
import { memberShape, type Shape } from './shape.js';

/** A value that both sides changed, to different values. */
export interface Conflict {
  /** Keys, and names of things: `['clients', 'web-app', 'name']`. */
  readonly path: readonly string[];
  /** The edited value; undefined: removed. */
  readonly ours: unknown;
  /** The value in the file; undefined: removed. */
  readonly theirs: unknown;
}

/** Three versions of one part; undefined if it is absent. */
interface Versions {
  /** The common base: the previous version of the file. */
  readonly base: unknown;
  /** The new version of the file. */
  readonly theirs: unknown;
  /** The live, edited version. */
  readonly ours: unknown;
}

/**
 * Merges three versions. If only one side changed a value, that side's is used. If both changed it, `theirs` is used,
 * and it is a conflict.
 * @param conflicts receives the conflicts
 */
export function merge(shape: Shape, versions: Versions, conflicts: Conflict[], path: readonly string[] = []): unknown {
  const { base, theirs, ours } = versions;
  if (shape.kind === 'id') return mergeId(shape.kept, versions);
  if (isSame(shape, theirs, base, true)) return ours;
  if (shape.kind === 'secret' && theirs === undefined) return ours;
  // The host, or an admin, created the secret that the file did not declare. If the file declares one now, that is no
  // conflict.
  if (shape.kind === 'secret' && base === undefined) return theirs;
  if (shape.kind === 'items') return mergeItems(shape, versions, conflicts, path);
  if (shape.kind === 'set' && isTexts(base) && isTexts(theirs) && isTexts(ours)) return mergeSet(base, theirs, ours);
  if (isObject(ours) && (theirs === undefined || isObject(theirs)) && shape.kind !== 'secret') {
    return mergeMembers(shape, { base, theirs, ours }, conflicts, path);
  }
  if (!isSame(shape, ours, base) && !isSame(shape, ours, theirs)) conflicts.push({ path, ours, theirs });
  return theirs;
}

function mergeId(kept: boolean, { base, theirs, ours }: Versions): unknown {
  if (kept) return ours ?? theirs;
  return theirs === undefined || theirs === base ? (ours ?? theirs) : theirs;
}

function mergeSet(base: readonly string[], theirs: readonly string[], ours: readonly string[]): string[] {
  const remainingTexts = ours.filter((text) => theirs.includes(text) || !base.includes(text));
  return [...remainingTexts, ...theirs.filter((text) => !base.includes(text) && !ours.includes(text))];
}

function mergeMembers(
  shape: Shape,
  versions: { base: unknown; theirs: JsonObject | undefined; ours: JsonObject },
  conflicts: Conflict[],
  path: readonly string[],
): JsonObject | undefined {
  const { theirs, ours } = versions;
  const base = isObject(versions.base) ? versions.base : undefined;
  const mergedMembers: Record<string, unknown> = {};
  for (const key of keysOf(ours, theirs)) {
    const parts = { base: ownMember(base, key), theirs: ownMember(theirs, key), ours: ownMember(ours, key) };
    const value = merge(memberShape(shape, key), parts, conflicts, [...path, key]);
    if (value !== undefined) mergedMembers[key] = value;
  }
  return theirs === undefined && Object.keys(mergedMembers).length === 0 ? undefined : mergedMembers;
}

function mergeItems(
  shape: Extract<Shape, { kind: 'items' }>,
  { base, theirs, ours }: Versions,
  conflicts: Conflict[],
  path: readonly string[],
): readonly unknown[] | undefined {
  const [live, before, newItems] = matchItems(shape, ours, base, theirs) as [
    ReadonlyMap<string, JsonObject>,
    ReadonlyMap<string, JsonObject>,
    ReadonlyMap<string, JsonObject>,
  ];
  const mergedItems: unknown[] = [];
  for (const [name, item] of live) {
    const parts = { base: before.get(name), theirs: newItems.get(name), ours: item };
    if (parts.theirs !== undefined) mergedItems.push(merge(shape.of, parts, conflicts, [...path, name]));
    else if (parts.base === undefined) mergedItems.push(item);
    else if (!isSame(shape.of, parts.base, item))
      conflicts.push({ path: [...path, name], ours: item, theirs: undefined });
  }
  for (const [name, item] of newItems) {
    if (live.has(name)) continue;
    const itemBefore = before.get(name);
    if (itemBefore !== undefined && isSame(shape.of, itemBefore, item, true)) continue;
    if (itemBefore !== undefined) conflicts.push({ path: [...path, name], ours: undefined, theirs: item });
    mergedItems.push(item);
  }
  return mergedItems.length === 0 && ours === undefined && theirs === undefined ? undefined : mergedItems;
}
