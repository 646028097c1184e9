import { isObject, isTexts, type JsonObject, keysOf, own } from './json.js';
import { matchItems } from './match-items.js';
import { same } from './same.js';
import { memberShape, type Shape } from './shape.js';

/** What both sides changed, each to something else. */
export interface Conflict {
  /** Keys, and names of things: `['clients', 'web-app', 'name']`. */
  readonly path: readonly string[];
  /** What an edit made it; undefined: removed. */
  readonly ours: unknown;
  /** What the file says; undefined: removed. */
  readonly theirs: unknown;
}

/** Three versions of one part; undefined where it is absent. */
interface Versions {
  /** Where both come from: what the file said before. */
  readonly base: unknown;
  /** What the file says now. */
  readonly theirs: unknown;
  /** What it was made by edits. */
  readonly ours: unknown;
}

/**
 * Merges three versions: what one side alone changed is taken from that side; where both changed the same thing, `theirs`
 * wins and it is a conflict.
 * @param conflicts gets what both changed
 */
export function merge(shape: Shape, versions: Versions, conflicts: Conflict[], path: readonly string[] = []): unknown {
  const { base, theirs, ours } = versions;
  if (shape.kind === 'id') return mergeId(shape.kept, versions);
  if (same(shape, theirs, base, true)) return ours;
  if (shape.kind === 'secret' && theirs === undefined) return ours;
  // A secret that the file did not state was made by the host, or by who looks after it there: stating one is no quarrel.
  if (shape.kind === 'secret' && base === undefined) return theirs;
  if (shape.kind === 'items') return mergeItems(shape, versions, conflicts, path);
  if (shape.kind === 'set' && isTexts(base) && isTexts(theirs) && isTexts(ours)) return mergeSet(base, theirs, ours);
  if (isObject(ours) && (theirs === undefined || isObject(theirs)) && shape.kind !== 'secret') {
    return mergeMembers(shape, { base, theirs, ours }, conflicts, path);
  }
  if (!same(shape, ours, base) && !same(shape, ours, theirs)) conflicts.push({ path, ours, theirs });
  return theirs;
}

function mergeId(kept: boolean, { base, theirs, ours }: Versions): unknown {
  if (kept) return ours ?? theirs;
  return theirs === undefined || theirs === base ? (ours ?? theirs) : theirs;
}

function mergeSet(base: readonly string[], theirs: readonly string[], ours: readonly string[]): string[] {
  const kept = ours.filter((text) => theirs.includes(text) || !base.includes(text));
  return [...kept, ...theirs.filter((text) => !base.includes(text) && !ours.includes(text))];
}

function mergeMembers(
  shape: Shape,
  versions: { base: unknown; theirs: JsonObject | undefined; ours: JsonObject },
  conflicts: Conflict[],
  path: readonly string[],
): JsonObject | undefined {
  const { theirs, ours } = versions;
  const base = isObject(versions.base) ? versions.base : undefined;
  const merged: Record<string, unknown> = {};
  for (const key of keysOf(ours, theirs)) {
    const parts = { base: own(base, key), theirs: own(theirs, key), ours: own(ours, key) };
    const value = merge(memberShape(shape, key), parts, conflicts, [...path, key]);
    if (value !== undefined) merged[key] = value;
  }
  return theirs === undefined && Object.keys(merged).length === 0 ? undefined : merged;
}

function mergeItems(
  shape: Extract<Shape, { kind: 'items' }>,
  { base, theirs, ours }: Versions,
  conflicts: Conflict[],
  path: readonly string[],
): readonly unknown[] | undefined {
  const [live, before, now] = matchItems(shape, ours, base, theirs) as [
    ReadonlyMap<string, JsonObject>,
    ReadonlyMap<string, JsonObject>,
    ReadonlyMap<string, JsonObject>,
  ];
  const merged: unknown[] = [];
  for (const [name, item] of live) {
    const parts = { base: before.get(name), theirs: now.get(name), ours: item };
    if (parts.theirs !== undefined) merged.push(merge(shape.of, parts, conflicts, [...path, name]));
    else if (parts.base === undefined) merged.push(item);
    else if (!same(shape.of, parts.base, item))
      conflicts.push({ path: [...path, name], ours: item, theirs: undefined });
  }
  for (const [name, item] of now) {
    if (live.has(name)) continue;
    const known = before.get(name);
    if (known !== undefined && same(shape.of, known, item, true)) continue;
    if (known !== undefined) conflicts.push({ path: [...path, name], ours: undefined, theirs: item });
    merged.push(item);
  }
  return merged.length === 0 && ours === undefined && theirs === undefined ? undefined : merged;
}
