/** What is found where the host is installed: what plugins share, native code, and what few starts need. */
export const OUTSIDE: readonly string[] = [
  '@keyhost/spi',
  '@node-rs/argon2',
  '@photostructure/sqlite',
  'ajv',
  'ajv-formats',
  'pg',
];

/**
 * What npm installs with the host is what the bundle leaves outside: more would be there twice, and less would be missing.
 * @param dependencies of the host's package.json
 * @throws Error naming what stands in the wrong list
 */
export function checkRunTimeDependencies(dependencies: Readonly<Record<string, string>>): void {
  const declared = Object.keys(dependencies);
  const bundled = declared.filter((name) => !OUTSIDE.includes(name));
  const missing = OUTSIDE.filter((name) => !declared.includes(name));
  if (bundled.length > 0) throw new Error(`${bundled.join(', ')}: the bundle contains it; move it to devDependencies`);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')}: the bundle does not contain it; move it to dependencies`);
}
