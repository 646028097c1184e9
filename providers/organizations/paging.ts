import { badRequest } from './refusals.js';

/** The requested part of a list. */
export interface Page {
  readonly first: number;
  readonly max: number;
}

type Query = Readonly<Record<string, readonly string[]>>;

const MAX_PAGE_SIZE = 1000;
const DEFAULT_PAGE_SIZE = 100;

/** A query parameter. If it is repeated, the first one counts. */
export const parameter = (query: Query, name: string): string | undefined => query[name]?.[0];

/** @throws HostError 400 for values that are not numbers */
export function pageOf(query: Query): Page {
  return { first: count(query, 'first', 0, 0, 1e9), max: count(query, 'max', DEFAULT_PAGE_SIZE, 1, MAX_PAGE_SIZE) };
}

/** @throws HostError 400 for any value but `true` and `false` */
export function flag(query: Query, name: string): boolean {
  const value = parameter(query, name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw badRequest(`${name} must be true or false`);
  return value === 'true';
}

function count(query: Query, name: string, fallback: number, minimum: number, maximum: number): number {
  const text = parameter(query, name);
  if (text === undefined) return fallback;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw badRequest(`${name} must be a number from ${minimum} to ${maximum}`);
}

/** The requested part of a list, which is read no further than needed. */
export async function readPart<T>(all: AsyncIterable<T>, { first, max }: Page): Promise<readonly T[]> {
  const part: T[] = [];
  let passed = 0;
  for await (const item of all) {
    if (passed++ < first) continue;
    part.push(item);
    if (part.length === max) break;
  }
  return part;
}

export async function countAll(all: AsyncIterable<unknown>): Promise<number> {
  let number = 0;
  for await (const _ of all) number += 1;
  return number;
}
