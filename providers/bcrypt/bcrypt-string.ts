/** `$2b$12$`, 22 characters of salt, 31 of the hash. 2a, 2b and 2y are one algorithm; 2x has a known fault. */
const FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** The cost of a hash; undefined if it is not a bcrypt hash. */
export function costOf(text: string): number | undefined {
  const [, cost] = FORM.exec(text) ?? [];
  return cost === undefined ? undefined : Number(cost);
}
