import type { JsonObject } from '../json-schema.js';

/** A list of a realm file; empty if there is none. */
export const list = (value: unknown) => (Array.isArray(value) ? (value as JsonObject[]) : []);

/** An object of a realm file; empty if there is none. */
export const record = (value: unknown) => (value ?? {}) as JsonObject;
