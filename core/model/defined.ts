/** Makes the members that may be undefined optional. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Copies an object without its undefined members, since JSON bodies, rows and spreads must not contain any. `null`,
 * `false` and empty strings stay.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) result[name] = value;
  return result as Defined<T>;
}
