/** A type whose members that may be undefined are optional instead. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Copies the members that are not undefined, in their order. JSON bodies, rows and spreads must not contain undefined.
 * `null`, `false` and empty texts stay.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) kept[name] = value;
  return kept as Defined<T>;
}
