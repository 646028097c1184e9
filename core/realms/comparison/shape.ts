import { isSecretName } from '../../model/secret-names.js';
import type { JsonObject } from './json.js';

/**
 * How a part of a realm representation is compared and merged:
 * - `value`: an object by its members, anything else as a whole. An absent value equals `default`.
 * - `fields`: an object whose members have shapes of their own.
 * - `map`: an object whose members all have one shape.
 * - `items`: a list of named objects, matched by ID if both have one and else by name. Their order is irrelevant.
 * - `set`: a list of texts whose order is irrelevant, merged member by member.
 * - `id`: the identity of an item, compared only if other parts refer to it. A `kept` one never changes.
 * - `secret`: stays if it is no longer declared.
 */
export type Shape =
  | { readonly kind: 'value'; readonly default?: unknown }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, Shape>> }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'items'; readonly nameOf: (item: JsonObject) => unknown; readonly of: Shape }
  | { readonly kind: 'set' }
  | { readonly kind: 'id'; readonly kept: boolean }
  | { readonly kind: 'secret' };

export const VALUE: Shape = { kind: 'value' };
const SECRET: Shape = { kind: 'secret' };
export const SET: Shape = { kind: 'set' };
/** IDs by which the store and other tools refer to objects. */
export const KEPT_ID: Shape = { kind: 'id', kept: true };
/** IDs that other parts of the same file may refer to. */
export const ID: Shape = { kind: 'id', kept: false };

export const fields = (of: Readonly<Record<string, Shape>>): Shape => ({ kind: 'fields', fields: of });
export const map = (of: Shape): Shape => ({ kind: 'map', of });
export const items = (nameOf: (item: JsonObject) => unknown, of: Shape): Shape => ({ kind: 'items', nameOf, of });
export const byKey = (key: string, of: Shape): Shape => items((item) => item[key], of);

/** Members with the default that Keycloak uses if they are absent. */
export function shapesOfDefaults(values: Readonly<Record<string, unknown>>): Record<string, Shape> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { kind: 'value', default: value }]));
}

/** The shape of a member of an object. */
export function memberShape(shape: Shape, key: string): Shape {
  if (shape.kind === 'fields' && Object.hasOwn(shape.fields, key)) return shape.fields[key] ?? VALUE;
  if (shape.kind === 'map') return shape.of;
  return isSecretName(key) ? SECRET : VALUE;
}
