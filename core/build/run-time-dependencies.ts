/**
 * Packages that npm installs with the host, and that are not bundled. They are shared with plugins, are native, or are
 * used by few hosts.
 */
export const UNBUNDLED_PACKAGES: readonly string[] = [
  '@keyhost/spi',
  '@node-rs/argon2',
  '@photostructure/sqlite',
  'ajv',
  'ajv-formats',
  'pg',
];

/**
 * Checks that npm installs exactly the packages that are not bundled. Otherwise, some would be installed in addition to
 * the bundled code, or missing.
 * @param dependencies `dependencies` of the host's package.json
 * @throws Error with the packages that are in the wrong list
 */
export function checkRunTimeDependencies(dependencies: Readonly<Record<string, string>>): void {
  const declared = Object.keys(dependencies);
  const bundled = declared.filter((name) => !UNBUNDLED_PACKAGES.includes(name));
  const missing = UNBUNDLED_PACKAGES.filter((name) => !declared.includes(name));
  if (bundled.length > 0) throw new Error(`${bundled.join(', ')}: the bundle contains it; move it to devDependencies`);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')}: the bundle does not contain it; move it to dependencies`);
}
