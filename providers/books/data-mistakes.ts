import { createRequire } from 'node:module';
import type { ParseError } from 'jsonc-parser';
import type { Shape } from './fill-defaults.js';

/**
 * The problems of a data file, each on a line of its own, as `file:line:column path: message`.
 * @param name of the file
 * @param shape the expected shape
 */
export function describeMistakes(json: string, name: string, shape: Shape): string {
  // Loaded with the first mistake, so that a valid file is read without these packages.
  const require = createRequire(import.meta.url);
  const { findNodeAtLocation, parseTree, printParseErrorCode } =
    require('jsonc-parser') as typeof import('jsonc-parser');
  const errors: ParseError[] = [];
  const tree = parseTree(json, errors, { disallowComments: true });
  const at = (offset: number) => {
    const before = json.slice(0, offset).split('\n');
    return `${name}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  };
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    const reason =
      first === undefined ? 'it is empty' : printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
    return `${at(first?.offset ?? 0)}: not JSON: ${reason.toLowerCase()}`;
  }
  const { Ajv } = require('ajv') as typeof import('ajv');
  const check = new Ajv({ allErrors: true, useDefaults: true, strictTypes: false }).compile(shape);
  check(JSON.parse(json));
  const problems = (check.errors ?? []).map(({ instancePath, message, params }) => {
    const path = instancePath
      .split('/')
      .slice(1)
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const unknown = (params as { additionalProperty?: string }).additionalProperty;
    const place = unknown === undefined ? path : [...path, unknown];
    const node = findNodeAtLocation(tree, place) ?? findNodeAtLocation(tree, path) ?? tree;
    const shown = place
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
      .join('')
      .replace(/^\./, '');
    const offset = unknown === undefined ? node.offset : (node.parent?.offset ?? node.offset);
    return {
      offset,
      text: `${at(offset)}${shown === '' ? '' : ` ${shown}`}: ${unknown === undefined ? message : 'unknown key'}`,
    };
  });
  problems.sort((a, b) => a.offset - b.offset);
  return problems.map(({ text: line }) => line).join('\n');
}
