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
  // Entries would allocate a list for each member, and this runs several times for each request.
  for (const name of Object.keys(members)) {
    const value = members[name as keyof T];
    if (value !== undefined) result[name] = value;
  }
  return result as Defined<T>;
}
