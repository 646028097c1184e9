import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../../model/thrown.js';
import type { JsonPath } from '../json/json-document.js';
import { type FileState, fileState } from './realm-folder.js';

/** A reference that used its default. */
export interface DefaultedReference {
  readonly path: JsonPath;
  readonly name: string;
}

/** A string whose references were resolved. */
export interface ResolvedText {
  readonly path: JsonPath;
  /** As written in the file. */
  readonly text: string;
  readonly value: string;
}

export interface ResolvedReferences {
  readonly value: unknown;
  readonly resolvedTexts: readonly ResolvedText[];
  /**
   * The files that were read, with the state before reading: if the state differs later, the content may have changed.
   */
  readonly files: readonly FileState[];
  readonly defaultedReferences: readonly DefaultedReference[];
  readonly problems: readonly { path: JsonPath; message: string }[];
  /** Texts whose references were not resolved. They stay as written. */
  readonly withheldTexts: readonly { readonly path: JsonPath; readonly text: string; readonly reason: string }[];
}

/** Returns the reason why the references of a text are not resolved; undefined to resolve them. */
export type WithholdReference = (path: JsonPath, text: string) => string | undefined;

const REFERENCE = /\$?\$\{(env|file)\.([^}:]+)(?::([^}]*))?\}/g;
const FILE_LIMIT = 64 * 1024;

/**
 * Replaces `${env.NAME}`, `${env.NAME:default}` and `${file.PATH}` inside strings. The path is relative to the file
 * with the reference, and one trailing line break is cut off. Other placeholders, such as `${role_…}`, are left alone,
 * and inserted values are not resolved again. `$${env.NAME}` means the text `${env.NAME}`.
 */
export function resolveReferences(
  value: unknown,
  options: {
    file: string;
    env: Readonly<Record<string, string | undefined>>;
    withholdReason?: WithholdReference | undefined;
  },
): ResolvedReferences {
  const defaultedReferences: DefaultedReference[] = [];
  const problems: { path: JsonPath; message: string }[] = [];
  const resolvedTexts: ResolvedText[] = [];
  const files = new Map<string, FileState>();
  const withheldTexts: { path: JsonPath; text: string; reason: string }[] = [];
  const replace = (text: string, path: JsonPath) => {
    const reason = hasReference(text) ? options.withholdReason?.(path, text) : undefined;
    if (reason !== undefined) {
      withheldTexts.push({ path, text, reason });
      return text;
    }
    let isReferring = false;
    const resolvedText = text.replace(
      REFERENCE,
      (reference, kind: string, name: string, defaultValue: string | undefined) => {
        if (reference.startsWith('$$')) return reference.slice(1);
        isReferring = true;
        if (kind === 'env') {
          const found = options.env[name];
          if (found !== undefined) return found;
          if (defaultValue === undefined)
            problems.push({ path, message: `the environment variable ${name} is not set` });
          else defaultedReferences.push({ path, name });
          return defaultValue ?? reference;
        }
        const file = resolve(dirname(options.file), name);
        try {
          const before = statSync(file);
          // Only regular files, not pipes, are watched for changes.
          if (before.isFile() && !files.has(file)) files.set(file, fileState(file, before));
          const content = readFileSync(file, 'utf8');
          if (content.length > FILE_LIMIT) problems.push({ path, message: `the file ${name} is larger than 64 KiB` });
          return content.replace(/\r?\n$/, '');
        } catch (error) {
          const code = codeOf(error);
          const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
          problems.push({ path, message: `the file ${name} ${reason}` });
          return reference;
        }
      },
    );
    if (isReferring) resolvedTexts.push({ path, text, value: resolvedText });
    return resolvedText;
  };
  const resolveIn = (node: unknown, path: JsonPath): unknown => {
    if (typeof node === 'string') return node.includes('${') ? replace(node, path) : node;
    if (Array.isArray(node)) return node.map((item, index) => resolveIn(item, [...path, index]));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, resolveIn(item, [...path, key])]));
  };
  return {
    value: resolveIn(value, []),
    resolvedTexts,
    files: [...files.values()],
    defaultedReferences,
    problems,
    withheldTexts,
  };
}

/** True for a text that contains a reference. */
export function hasReference(text: string): boolean {
  return [...text.matchAll(REFERENCE)].some(([reference]) => !reference.startsWith('$$'));
}

/** Escapes the references in a value's strings, so that `resolveReferences` returns the value as it was. */
export function escapeReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(REFERENCE, (reference) => `$${reference}`);
  if (Array.isArray(value)) return value.map(escapeReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapeReferences(item)]));
}
