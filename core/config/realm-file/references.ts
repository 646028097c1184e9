import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../../model/thrown.js';
import type { JsonPath } from '../json/json-document.js';
import { type FileState, fileState } from './realm-folder.js';

/** A reference that fell to the default written beside it. */
export interface DefaultedReference {
  readonly path: JsonPath;
  readonly name: string;
}

/** A text that holds references. */
export interface ResolvedText {
  readonly path: JsonPath;
  /** As it is written. */
  readonly text: string;
  readonly value: string;
}

export interface ResolvedReferences {
  readonly value: unknown;
  readonly resolved: readonly ResolvedText[];
  /** The files that were read, as each was before: one that is another now may say something else. */
  readonly files: readonly FileState[];
  readonly defaulted: readonly DefaultedReference[];
  readonly problems: readonly { path: JsonPath; message: string }[];
  /** Texts that hold references which are not resolved: they stay as they are written. */
  readonly withheld: readonly { readonly path: JsonPath; readonly text: string; readonly reason: string }[];
}

/** Why the references of a text at that place are not resolved; undefined: they are. */
export type Withholds = (path: JsonPath, text: string) => string | undefined;

const REFERENCE = /\$?\$\{(env|file)\.([^}:]+)(?::([^}]*))?\}/g;
const FILE_LIMIT = 64 * 1024;

/**
 * Replaces `${env.NAME}`, `${env.NAME:default}` and `${file.PATH}` (relative to the file it stands in, one trailing line
 * break cut off) inside strings. Nothing else is a placeholder: `${role_…}` passes through. What a reference brings in
 * is not looked at again. `$${env.NAME}` stands for the text `${env.NAME}`.
 */
export function resolveReferences(
  value: unknown,
  options: { file: string; env: Readonly<Record<string, string | undefined>>; withholds?: Withholds | undefined },
): ResolvedReferences {
  const defaulted: DefaultedReference[] = [];
  const problems: { path: JsonPath; message: string }[] = [];
  const resolved: ResolvedText[] = [];
  const files = new Map<string, FileState>();
  const withheld: { path: JsonPath; text: string; reason: string }[] = [];
  const replace = (text: string, path: JsonPath) => {
    const reason = isReferring(text) ? options.withholds?.(path, text) : undefined;
    if (reason !== undefined) {
      withheld.push({ path, text, reason });
      return text;
    }
    let refers = false;
    const found = text.replace(REFERENCE, (whole, kind: string, name: string, standard: string | undefined) => {
      if (whole.startsWith('$$')) return whole.slice(1);
      refers = true;
      if (kind === 'env') {
        const found = options.env[name];
        if (found !== undefined) return found;
        if (standard === undefined) problems.push({ path, message: `the environment variable ${name} is not set` });
        else defaulted.push({ path, name });
        return standard ?? whole;
      }
      const file = resolve(dirname(options.file), name);
      try {
        const before = statSync(file);
        // What is no file, such as a pipe, is not followed.
        if (before.isFile() && !files.has(file)) files.set(file, fileState(file, before));
        const content = readFileSync(file, 'utf8');
        if (content.length > FILE_LIMIT) problems.push({ path, message: `the file ${name} is larger than 64 KiB` });
        return content.replace(/\r?\n$/, '');
      } catch (error) {
        const code = codeOf(error);
        const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
        problems.push({ path, message: `the file ${name} ${reason}` });
        return whole;
      }
    });
    if (refers) resolved.push({ path, text, value: found });
    return found;
  };
  const walk = (node: unknown, path: JsonPath): unknown => {
    if (typeof node === 'string') return node.includes('${') ? replace(node, path) : node;
    if (Array.isArray(node)) return node.map((item, index) => walk(item, [...path, index]));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, walk(item, [...path, key])]));
  };
  return { value: walk(value, []), resolved, files: [...files.values()], defaulted, problems, withheld };
}

/** True for a text that holds a reference. */
export function isReferring(text: string): boolean {
  return [...text.matchAll(REFERENCE)].some(([whole]) => !whole.startsWith('$$'));
}

/** The same value, written so that `resolveReferences` makes it again: no text in it is a reference. */
export function escapeReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(REFERENCE, (whole) => `$${whole}`);
  if (Array.isArray(value)) return value.map(escapeReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapeReferences(item)]));
}
